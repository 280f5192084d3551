"""Mistakes in puts, gets, memsets, and their synchronization."""

from mutants.base import fake, mutant, reference, row, udp

# --- Synchronization of transfers ---

SYNC = "extended/sync.h"

mutant(
    "wait_for_handle_returns_at_once", SYNC,
    "    C::engine().WaitUntil([&] { return IsDone(operation); });\n",
    "",
    reference("sync_completion"),
)
mutant(
    "implicit_wait_returns_at_once", SYNC,
    "    C::engine().WaitUntil([&] { return (iop.*done)(); });\n",
    "    static_cast<void>(iop), static_cast<void>(done);\n",
    reference("sync_completion"),
)
mutant(
    "implicit_try_always_succeeds", SYNC,
    "    if (!(Operations::Mine().implicit().*done)()) return false;\n",
    "",
    reference("sync_completion"),
)
mutant(
    "try_all_content_with_some", SYNC,
    "return swept.done == swept.valid;",
    "return swept.done > 0 || swept.valid == 0;",
    reference("sync_all"),
)
mutant(
    "wait_some_content_with_none", SYNC,
    "bool Some() const { return done > 0 || valid == 0; }",
    "bool Some() const { return true; }",
    reference("sync_some"),
)
mutant(
    "handle_stays_valid_after_wait_all", SYNC,
    """      }
      handle = GASNET_INVALID_HANDLE;
""",
    "      }\n",
    reference("sync_all"),
)
mutant(
    "implicit_gets_counted_as_puts", "extended/operation.h",
    "return completed_gets.load(std::memory_order_acquire) == initiated_gets ",
    "return completed_puts.load(std::memory_order_acquire) == initiated_puts ",
    reference("transfer_implicit"),
)
mutant(
    "implicit_puts_not_counted", "extended/operations.h",
    "if (iop != nullptr) ++iop->initiated_puts;",
    "",
    reference("sync_completion"),
)
mutant(
    "lent_source_not_waited_for", "extended/operation.h",
    "           loan.IsOver() && native_puts.IsOver();",
    "           native_puts.IsOver();",
    "//extended:operations_test_par",
)
mutant(
    "region_open_for_nobody", "extended/operations.h",
    "return region_ != nullptr ? *region_ : implicit_;",
    "return implicit_;",
    reference("sync_completion"), reference("sync_access_region"),
)

# --- Transfers by message ---

REFERENCE = "extended/reference.h"

mutant(
    "first_part_sent_again_and_again", REFERENCE,
    "SendPut(&iop, node, At(dest, done), At(src, done),",
    "SendPut(&iop, node, At(dest, done), src,",
    udp("transfer_large"),
)
mutant(
    "first_part_got_again_and_again", REFERENCE,
    "SendGet(&iop, At(dest, done), node, At(src, done),",
    "SendGet(&iop, At(dest, done), node, src,",
    udp("transfer_large"),
)
mutant(
    "part_never_sent", REFERENCE,
    """    for (size_t done = 0; done < nbytes; done += part) {
      SendPut(""",
    """    for (size_t done = 0; done < nbytes; done += part) {
      if (done == part) continue;
      SendPut(""",
    udp("transfer_large"),
)
mutant(
    "put_short_by_one", REFERENCE,
    "    std::memcpy(dest, payload, nbytes);\n    ReplyPutDone",
    "    std::memcpy(dest, payload, nbytes - 1);\n    ReplyPutDone",
    reference("transfer_blocking"),
)
mutant(
    "get_short_by_one", REFERENCE,
    "    std::memcpy(transfer.destination, payload, nbytes);\n",
    "    std::memcpy(transfer.destination, payload, nbytes - 1);\n",
    reference("transfer_blocking"),
)
mutant(
    "memset_long_by_one", REFERENCE,
    "    std::memset(dest, value, nbytes);\n",
    "    std::memset(dest, value, nbytes + 1);\n",
    reference("transfer_memset"),
)
mutant(
    "target_address_unchecked", REFERENCE,
    "    return CheckRequest(MySegment(), token.source, call, address, nbytes);\n",
    "    static_cast<void>(token), static_cast<void>(call);\n"
    "    static_cast<void>(nbytes);\n"
    "    return reinterpret_cast<void*>(address);\n",
    "//extended:corruption_test_par",
)
mutant(
    "reusable_source_lent", REFERENCE,
    "source == Source::kStays ? &iop.loan : nullptr;",
    "source == Source::kStays ? &iop.loan : &iop.loan;",
    udp("transfer_source_reuse"),
)

# --- Transfers that the network does by itself ---

mutant(
    "journey_not_given", "core/am/engine.h",
    "    if constexpr (LinkSendsInSteps<L>) message.journey = &journey;\n",
    "",
    fake("am_long"),
)

NATIVE = "extended/native.h"

mutant(
    "native_source_not_awaited", NATIVE,
    "stays ? nullptr : &sources",
    "nullptr",
    fake("transfer_source_reuse"),
)
mutant(
    "long_source_not_awaited", "conduits/fake/fake_link.cc",
    "message.stays ? nullptr : &journey.sources",
    "nullptr",
    "//conformance:fake_ordered_par_fast_am_long",
)
mutant(
    "long_async_source_awaited", "conduits/fake/fake_link.cc",
    "message.stays ? nullptr : &journey.sources",
    "&journey.sources",
    "//conduits/fake:fake_link_test_par",
)
mutant(
    "native_rest_not_posted", NATIVE,
    "      if (taken == request.nbytes) return;\n",
    "      if (taken > 0) return;\n",
    fake("transfer_large"), "//extended:native_transfers_test_par",
)
mutant(
    "native_gets_not_awaited", "extended/operation.h",
    " &&\n           native_gets.IsOver();",
    ";",
    fake("transfer_blocking"), "//extended:native_transfers_test_par",
)
mutant(
    "native_puts_not_awaited", "extended/operation.h",
    "loan.IsOver() && native_puts.IsOver();",
    "loan.IsOver();",
    fake("transfer_blocking"), "//extended:native_transfers_test_par",
)
mutant(
    "native_threshold_ignored", NATIVE,
    " && nbytes >= C::rma().thresholds().put",
    "",
    "//extended:native_ways_test_par",
)

# --- Mapped transfers, as the client compiles them ---

EXTENDED_H = "api/include/gasnet/extended.h"

mutant(
    "mapped_memset_ignores_value", EXTENDED_H,
    "__builtin_memset(to, val, nbytes);",
    "__builtin_memset(to, 0 * val, nbytes);",
    row("transfer_memset"),
)
mutant(
    "displacement_off_by_one", "api/include/gasnet/abi.h",
    "+ displacement - 1);",
    "+ displacement);",
    row("transfer_blocking"),
)

mutant(
    "blocking_put_without_fence", "api/include/gasnet/extended.h",
    "  gasneti_store(to, from, nbytes);\n  GASNETI_FENCE();\n",
    "  gasneti_store(to, from, nbytes);\n",
    row("transfer_litmus"),
)
mutant(
    "sync_of_stored_put_without_fence", "api/include/gasnet/sync.h",
    "  if (handle == GASNETI_STORED_HANDLE) GASNETI_FENCE();\n",
    "",
    row("transfer_litmus"),
)

mutant(
    "sync_of_all_without_fence", SYNC,
    "    if (any) GASNETI_FENCE();\n",
    "",
    row("transfer_litmus"),
)
mutant(
    "try_without_fence", SYNC,
    "    if (swept.done > 0) GASNETI_FENCE();\n",
    "",
    row("transfer_litmus"),
)
mutant(
    "implicit_sync_without_fence", SYNC,
    "(iop.*done)(); });\n    if (done != &Iop::GetsDone) GASNETI_FENCE();\n",
    "(iop.*done)(); });\n",
    row("transfer_litmus"),
)

# --- Small memsets, which are puts ---

mutant(
    "memset_larger_than_a_put_of_it", "extended/native.h",
    "return nbytes <= rma::kMostFill && nbytes <= C::rma().thresholds().fill &&",
    "return nbytes <= rma::kMostFill &&",
    "//extended:native_ways_test_par",
)
mutant(
    "memset_of_one_byte_less", "extended/native.h",
    "std::memset(bytes.data(), value, nbytes);",
    "std::memset(bytes.data(), value, nbytes - 1);",
    "//extended:native_ways_test_par",
)
mutant(
    "try_without_poll_polls", "extended/front.h",
    "return Answer(Sync<C>::TryAll(call, {&handle, 1}, serving));",
    "return Answer(Sync<C>::TryAll(call, {&handle, 1}));",
    "//extended:waits_test_par",
)
