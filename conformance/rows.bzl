"""The building blocks of rows of the table.

Bazel reads this file and, as Python, check_index.py.
"""

MODES = ["seq", "parsync", "par"]
THREADED = ["parsync", "par"]
SEGMENTS = ["fast", "large", "everything"]
RANKS = [1, 2, 3, 5, 8]

def passes(args = [], env = {}, lines = {}):
    """Returns a case in which the job prints PASSED and ends with 0.

    Args:
      args: arguments of the program.
      env: variables to set, by name. {scratch} in a value stands for the directory
        of the run (CONFORMANCE_SCRATCH).
      lines: as for exits.

    Returns:
      the case.
    """
    return dict(args = args, env = env, passed = True, codes = [0], lines = lines)

def exits(codes, args = [], lines = {}, signal = "", env = {}):
    """Returns a case in which the job ends with one of the codes.

    Args:
      codes: acceptable exit codes; an empty list means any except 0.
      args: arguments of the program.
      lines: how many lines of output match each regular expression, as [a, b]
        for a * ranks + b.
      signal: a signal to send to the launcher when a node prints "ready".
      env: as for passes.

    Returns:
      the case.
    """
    return dict(
        args = args,
        codes = codes,
        lines = lines,
        signal = signal,
        env = env,
    )

def dies(message, args, env = {}):
    """Returns a case that must end with a fatal error whose message matches."""
    return dict(args = args, codes = [], message = message, env = env)

def exit_cases(code, names, lines = {}):
    return {name: exits([code], args = [name], lines = lines) for name in names}

def death_cases(messages):
    """Returns a case for each message. Its name is its only argument."""
    return {name: dies(message, [name]) for name, message in messages.items()}

def test(
        source,
        cases = {"": passes()},
        modes = MODES,
        segments = SEGMENTS,
        ranks = RANKS,
        reference = "also",
        checks = "also",
        language = "",
        of_conduit = False):
    """Returns one row.

    Args:
      source: the program, with a main() of its own.
      cases: maps names to cases, each with arguments and the required end.
      modes: threading modes; a test that needs several threads lacks some.
      segments: kinds of segment.
      ranks: numbers of nodes.
      reference: "also", "no" or "only" run on the reference extended API.
      checks: "also" run in a build that checks for misuse, "no" (such a build
        refuses it), or "only" (only such a build refuses it).
      language: "c++" for a C program that is compiled as C++.
      of_conduit: true if it checks the headers' contents about the conduit. Then
        it is compiled for each conduit, otherwise once for all.

    Returns:
      the row.
    """
    return dict(
        source = source,
        cases = cases,
        modes = modes,
        segments = segments,
        ranks = ranks,
        reference = reference,
        checks = checks,
        language = language,
        of_conduit = of_conduit,
    )

def job_test(source, **kwargs):
    """Returns a row for behaviour that segments and extended APIs do not
    change."""
    return test(source, segments = ["fast"], reference = "no", **kwargs)

def ex_test(source, ranks = [2, 3], **kwargs):
    """Returns a row about GASNet-EX, where the client attaches segments."""
    return test(source, segments = ["fast"], ranks = ranks, **kwargs)

def misuse_test(source, messages, **kwargs):
    """Returns a row for misuse that only a build with checks detects."""
    return job_test(
        source,
        cases = death_cases(messages),
        ranks = [2],
        checks = "only",
        **kwargs
    )

def _name_told(call):
    # Names of functions with M arguments are given without M. The client's
    # compiler has turned a transfer of a word into one of a value.
    if call.endswith("_of_word"):
        return call[:-len("_of_word")] + "( or gasnet_[a-z_]*_val)?"
    return call.rstrip("0")

def _early_cases(calls, call_missing):
    return {
        "%s_before_%s" % (call, call_missing): dies(
            "%s called before %s" % (_name_told(call), call_missing),
            ["before_" + call_missing, call],
        )
        for call in calls
    }

def early_test(source, calls, **kwargs):
    """Returns a row for calls before gasnet_init or gasnet_attach.

    Args:
      source: the program.
      calls: illegal calls, by the first call that makes them legal.
      **kwargs: for job_test.

    Returns:
      the row.
    """
    early = _early_cases(calls["gasnet_init"] + calls["gasnet_attach"], "gasnet_init")
    late = _early_cases(calls["gasnet_attach"], "gasnet_attach")
    return job_test(source, cases = dict(early, **late), ranks = [1], **kwargs)

def warning_test(source, warnings):
    """Returns a row for misuse that a build with checks warns about.

    Args:
      source: the program. Its case "be_brief" does nothing wrong.
      warnings: maps each other case to a pattern of its only warning.

    Returns:
      the row.
    """
    cases = {
        name: passes(args = [name], lines = {
            ".*WARNING.*" + warning + ".*": [1, 0],
            ".*WARNING.*": [1, 0],
        })
        for name, warning in warnings.items()
    }
    cases["be_brief"] = passes(args = ["be_brief"], lines = {
        ".*WARNING.*": [0, 0],
    })
    return job_test(source, cases = cases, ranks = [1, 2], checks = "only")
