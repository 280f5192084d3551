"""Credits of the portals conduit. The simulation must notice each."""

from mutants.base import mutant

_HOME = "conduits/portals/credits/"
_JOBS = "//conduits/portals/credits/testing:patterns_test"


def _unit(name):
    return f"//conduits/portals/credits:{name}_test"


def _simulated(name, file, old, new, *tests):
    mutant("credits_" + name, _HOME + file, old, new, *(tests or (_JOBS,)))


# --- The borrower ---

_simulated(
    "use_is_given_back_twice", "borrower.cc",
    "peer.in_use = static_cast<uint16_t>(peer.in_use - byte.used);",
    "peer.in_use = static_cast<uint16_t>(\n"
    "      std::max(0, peer.in_use - 2 * byte.used));",
)
_simulated(
    "one_more_is_sent_than_there_is", "borrower.cc",
    "if (std::max<unsigned>(used, peer.need) > left) {",
    "if (std::max<unsigned>(used, peer.need) > left + 1) {",
)
_simulated(
    "returns_below_the_least", "borrower.cc",
    "std::max({start_.least, peer.send_max, peer.in_use})",
    "std::max({uint16_t{1}, peer.send_max, peer.in_use})",
)
_simulated(
    "smaller_ones_overtake", "borrower.cc",
    "if (std::max<unsigned>(used, peer.need) > left) {",
    "if (used > left) {",
    _unit("sending"),
)

# --- The lender ---

_simulated(
    "lends_more_than_is_banked", "lender.cc",
    "const bool is_there = wanted <= bank_;",
    "const bool is_there = wanted <= bank_ + kMaxExtra;",
)
_simulated(
    "asks_though_nobody_misses_any", "lender.cc",
    "  if (asked.extra > 0) byte.extra",
    "  wants_ = bank_ < kLowBank;\n  if (asked.extra > 0) byte.extra",
)

# --- Messages of peers ---

_simulated(
    "reply_gives_back_anything", "borrower.cc",
    "if (byte.used != taken.used) {",
    "if (byte.used == 0) {",
    _unit("hostile"),
)
_simulated(
    "reply_lends_unasked", "borrower.cc",
    "if (byte.extra != 0 && byte.extra != taken.extra) {",
    "if (byte.extra > kMaxExtra) {",
    _unit("hostile"),
)
_simulated(
    "answers_need_no_question", "lender.cc",
    "if ((peer.flags & kRevokeInFlight) == 0) {",
    "if (peer.flags == UINT8_MAX) {",
    _unit("hostile"),
)
_simulated(
    "returns_more_than_was_lent", "lender.cc",
    "if (answer.returned + std::max(start_.least, peer.serving) > peer.loan) {",
    "if (answer.returned > settings_.revoke_limit) {",
    _unit("hostile"),
)
