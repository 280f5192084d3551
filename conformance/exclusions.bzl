"""Tests of the suite that are not run, with the reasons.

A row excludes a test from the configurations that it names. A part that it does
not name stands for all values. An excluded test is reported as skipped, with
the reason.
"""

def exclusion(test, reason, conduit = "", mode = "", segment = "", variant = ""):
    return dict(
        test = test,
        reason = reason,
        conduit = conduit,
        mode = mode,
        segment = segment,
        variant = variant,
    )

EXCLUSIONS = [
    exclusion(
        "transfer_unattended",
        "this network has no thread that serves a node that computes",
        conduit = "fake",
    ),
    exclusion(
        "transfer_unattended",
        "a memset is a message over Portals, and a node that computes serves none",
        conduit = "portals",
    ),
    exclusion(
        "transfer_unattended_atomics",
        "this network has no thread that serves a node that computes",
        conduit = "fake",
    ),
    exclusion(
        "transfer_unattended_observed",
        "atomics among nodes that share memory are no messages",
        conduit = "smp",
    ),
    exclusion(
        "transfer_unattended_observed",
        "this network has no thread that serves a node that computes",
        conduit = "fake",
    ),
    exclusion(
        "transfer_unattended_observed",
        "Portals performs atomics by itself, without messages that could be observed",
        conduit = "portals",
    ),
    exclusion(
        "transfer_unattended_endpoints",
        "further segments of nodes that share memory are reached by messages, and a " +
        "node that computes serves none",
        conduit = "smp",
    ),
    exclusion(
        "transfer_unattended_endpoints",
        "this network has no thread that serves a node that computes",
        conduit = "fake",
    ),
    exclusion(
        "transfer_unattended_endpoints",
        "a put to a further endpoint is a message over Portals, and a node that " +
        "computes serves none",
        conduit = "portals",
    ),
]
