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
    "what_is_lent_is_not_taken", "borrower.cc",
    "peer.send = static_cast<uint16_t>(peer.send + byte.extra);",
    "peer.send = static_cast<uint16_t>(peer.send + 0);",
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
    "returns_what_is_in_use", "borrower.cc",
    "std::max({start_.least, peer.send_max, peer.in_use})",
    "std::max({start_.least, peer.send_max})",
)
_simulated(
    "returns_what_was_used_lately", "borrower.cc",
    "std::max({start_.least, peer.send_max, peer.in_use})",
    "std::max({start_.least, peer.in_use})",
    _unit("scavenging"),
)
_simulated(
    "return_has_the_wrong_sign", "borrower.cc",
    "peer.send = static_cast<uint16_t>(peer.send - returned);",
    "peer.send = static_cast<uint16_t>(peer.send + returned);",
)
_simulated(
    "return_without_limit", "borrower.cc",
    "peer.revoked = static_cast<uint16_t>(peer.revoked + returned);",
    "",
)
_simulated(
    "asks_for_nothing", "borrower.cc",
    "std::min<unsigned>(kMostExtra, peer.missed)",
    "std::min<unsigned>(0, peer.missed)",
)
_simulated(
    "revoke_lets_nothing_decay", "borrower.cc",
    "if (epoch) DecaySend(peer);\n  const uint16_t returned",
    "const uint16_t returned",
)
_simulated(
    "reply_lets_nothing_decay", "borrower.cc",
    "  if (byte.epoch) DecaySend(peer);\n",
    "",
)
_simulated(
    "smaller_ones_overtake", "borrower.cc",
    "if (std::max<unsigned>(used, peer.need) > left) {",
    "if (used > left) {",
    _unit("sending"),
)

# --- The lender ---

_simulated(
    "loan_not_noted", "lender.cc",
    "    peer.loan = static_cast<uint16_t>(peer.loan + wanted);\n",
    "",
)
_simulated(
    "bank_not_debited", "lender.cc",
    "    bank_ -= wanted;\n",
    "",
)
_simulated(
    "lends_more_than_is_banked", "lender.cc",
    "const bool is_there = wanted <= bank_;",
    "const bool is_there = wanted <= bank_ + kMostExtra;",
)
_simulated(
    "lends_without_limit", "lender.cc",
    "    peer.loan_given = static_cast<uint16_t>(peer.loan_given + wanted);\n",
    "",
)
_simulated(
    "lends_beyond_the_most", "lender.cc",
    "peer.loan + wanted > settings_.max_per_node",
    "peer.loan > settings_.max_per_node",
)
_simulated(
    "what_comes_back_is_still_lent", "lender.cc",
    "  peer.loan = static_cast<uint16_t>(peer.loan - answer.returned);\n",
    "",
)
_simulated(
    "what_comes_back_is_lost", "lender.cc",
    "  bank_ += answer.returned;\n",
    "",
)
_simulated(
    "asks_again_before_the_answer", "lender.cc",
    "peer.flags |= kRevokeInFlight;",
    "peer.flags |= 0;",
)
_simulated(
    "asks_though_nobody_misses_any", "lender.cc",
    "  if (asked.extra > 0) byte.extra",
    "  wants_ = bank_ < kLowBank;\n  if (asked.extra > 0) byte.extra",
)
_simulated(
    "never_asks_for_any_back", "lender.cc",
    "wants_ = bank_ < kLowBank;",
    "wants_ = false;",
)
_simulated(
    "asks_in_vain_without_end", "scavenger.h",
    "      --tries_left_;\n",
    "",
    _unit("scavenging"),
)
_simulated(
    "asks_the_first_always", "scavenger.h",
    "next_ = rank + 1 == ranks_ ? 0 : rank + 1;",
    "next_ = 0;",
    _unit("scavenging"),
)
_simulated(
    "service_never_ends", "lender.cc",
    "peer.serving = static_cast<uint16_t>(peer.serving - asked.used);",
    "peer.serving = static_cast<uint16_t>(peer.serving - 0);",
)

# --- Epochs ---

_simulated(
    "epoch_told_for_ever", "credits.cc",
    "  peer.flags &= static_cast<uint8_t>(~kSendEpoch);\n",
    "",
)
_simulated(
    "epoch_not_told", "credits.cc",
    "  peer.flags |= kSendEpoch;\n",
    "",
)
_simulated(
    "half_decays", "peer.h",
    "value >> std::min<uint64_t>(2 * epochs, 16)",
    "value >> std::min<uint64_t>(epochs, 16)",
)

# --- Memory ---

_simulated(
    "buffers_for_one_server_alone", "credit_tables.cc",
    "return (buffers - servers) * Each(chunks);",
    "return (buffers - 1) * Each(chunks);",
    _unit("credit_tables"),
)
_simulated(
    "last_chunks_are_promised", "credit_tables.cc",
    "return (chunks - 1) * (chunk / kCreditBytes);",
    "return chunks * (chunk / kCreditBytes);",
    _unit("credit_tables"),
)

# --- What peers say ---

_simulated(
    "reply_gives_back_anything", "borrower.cc",
    "if (byte.used != taken.used) {",
    "if (byte.used == 0) {",
    _unit("hostile"),
)
_simulated(
    "reply_lends_unasked", "borrower.cc",
    "if (byte.extra != 0 && byte.extra != taken.extra) {",
    "if (byte.extra > kMostExtra) {",
    _unit("hostile"),
)
_simulated(
    "request_uses_anything", "lender.cc",
    "if (byte.used + peer.serving > peer.loan) {",
    "if (byte.used > peer.loan) {",
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
