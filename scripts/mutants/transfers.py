"""Mistakes in puts, gets, memsets, and their synchronization."""

from mutants.base import fake, mutant, row, udp

# --- Synchronization of transfers ---

SYNC = "extended/sync.h"

mutant(
    "wait_for_handle_returns_at_once", SYNC,
    "          runtime->engine().WaitUntil([&] { return IsDone(operation); },\n"
    "                                      [&] { return ReasonOf(operation); });\n",
    "",
    udp("sync_completion"),
)
mutant(
    "implicit_wait_returns_at_once", SYNC,
    "    runtime->engine().WaitUntil([&] { return (iop.*done)(); },\n"
    "                                [&] { return ReasonOf(iop); });\n",
    "    static_cast<void>(iop), static_cast<void>(done);\n",
    udp("sync_completion"),
)
mutant(
    "try_all_content_with_some", SYNC,
    "return Sweep(call, handles).left == 0;",
    "return Sweep(call, handles).Some();",
    udp("sync_all"),
)
mutant(
    "implicit_gets_counted_as_puts", "extended/operation.h",
    "return completed_gets.load(std::memory_order_acquire) == initiated_gets ",
    "return completed_puts.load(std::memory_order_acquire) == initiated_puts ",
    udp("transfer_implicit"),
)

# --- Transfers by message ---

REFERENCE = "extended/reference.h"

mutant(
    "part_never_sent", REFERENCE,
    """    for (size_t done = 0; done < nbytes; done += part) {
      if (SendPut(""",
    """    for (size_t done = 0; done < nbytes; done += part) {
      if (done == part) continue;
      if (SendPut(""",
    udp("transfer_large"),
)
mutant(
    "put_short_by_one", "extended/request_handlers.h",
    "    std::memcpy(dest, payload, nbytes);\n    ReplyPutDone",
    "    std::memcpy(dest, payload, nbytes - 1);\n    ReplyPutDone",
    udp("transfer_blocking"),
)
mutant(
    "get_short_by_one", REFERENCE,
    "    std::memcpy(transfer.destination, payload, nbytes);\n",
    "    std::memcpy(transfer.destination, payload, nbytes - 1);\n",
    udp("transfer_blocking"),
)
mutant(
    "memset_long_by_one", "extended/request_handlers.h",
    "    std::memset(dest, value, nbytes);\n",
    "    std::memset(dest, value, nbytes + 1);\n",
    udp("transfer_memset"),
)
mutant(
    "target_address_unchecked", "extended/request_handlers.h",
    "    return CheckRequest(token.to->segment(), runtime->further_segments(),\n"
    "                        token.source, call, address, nbytes);\n",
    "    static_cast<void>(token), static_cast<void>(call);\n"
    "    static_cast<void>(nbytes);\n"
    "    return reinterpret_cast<void*>(address);\n",
    "//extended:corruption_test_par",
)
mutant(
    "reusable_source_lent", REFERENCE,
    "source == Source::kStays ? &iop.loan : nullptr;",
    "source == Source::kStays ? &iop.loan : &iop.loan;",
    row("transfer_source_reuse", "udp_lossy_par_fast"),
)

# --- Transfers that the network does by itself ---


NATIVE = "extended/native.h"

mutant(
    "native_rest_not_posted", NATIVE,
    "      if (taken == request.nbytes) return;\n",
    "      if (taken > 0) return;\n",
    fake("transfer_large"), "//extended:native_transfers_test_par",
)

# --- Mapped transfers, as the client compiles them ---

EXTENDED_H = "api/include/gasnet/extended.h"

mutant(
    "mapped_memset_ignores_value", EXTENDED_H,
    "__builtin_memset(to, val, nbytes);",
    "__builtin_memset(to, 0 * val, nbytes);",
    row("transfer_memset"),
)


# --- Small memsets, which are puts ---

mutant(
    "memset_of_one_byte_less", "extended/native.h",
    "std::memset(bytes.data(), value, nbytes);",
    "std::memset(bytes.data(), value, nbytes - 1);",
    "//extended:native_ways_test_par",
)

# --- Segments of further endpoints ---

mutant(
    "further_segments_contain_all", "core/further_segments.cc",
    "if (segment.size > 0 && segment.Contains(address, nbytes)) return true;",
    "if (segment.size > 0) return true;",
    "//core:further_segments_test",
)
mutant(
    "further_put_as_long", "extended/peer.h",
    "is_further(target.endpoint != 0),",
    "is_further(false),",
    row("ex_endpoint_rma"),
)
mutant(
    "destroyed_segment_stays_bound", "ex/client.cc",
    "endpoint->segment.load() == &segment",
    "endpoint->segment.load() == nullptr",
    row("ex_endpoint_rma"),
)
mutant(
    "atomics_of_further_team_as_mapped", "export/ex/atomics.cc",
    "!gasnet::ex::Teams::IsFurther(ad->tm) &&",
    "",
    row("ex_endpoint_teams"),
)
mutant(
    "split_forgets_endpoints", "ex/teams.cc",
    "parent.IndexOf(parent.RankOf(node))",
    "parent.IndexOf(0)",
    row("ex_endpoint_teams"),
)
mutant(
    "inlined_subtraction_adds", "api/include/gasnet/ex_atomics_inlined.h",
    "__atomic_fetch_sub(at, old, ",
    "__atomic_fetch_add(at, old, ",
    row("ex_atomics_constant"),
)
mutant(
    "inlined_atomics_of_jobranks", "api/include/gasnet/ex_atomics_inlined.h",
    "(flags & GEX_FLAG_RANK_IS_JOBRANK) == 0 &&",
    "",
    row("ex_atomics_constant"),
)

# --- Native transfers in statistics and traces ---

mutant(
    "completion_not_observed", "core/rma/completion.h",
    "    observation_.Complete();\n",
    "",
    "//tools/gasnet_trace:traced_job_test",
)
mutant(
    "completion_observed_twice", "core/observe/seam.cc",
    "const bool is_counted = std::exchange(is_counted_, false);",
    "const bool is_counted = is_counted_;",
    "//core/observe:seam_transfer_test_par",
)

# --- Messages and handlers that are only counted ---

mutant(
    "traced_message_only_counted", "core/observe/seam.h",
    "  if (log.ring != nullptr || !log.Counts(call)) return false;\n",
    "  if (!log.Counts(call)) return false;\n",
    "//core/observe:seam_transfer_test_par",
)
mutant(
    "timed_message_only_counted", "core/observe/seam.h",
    "  if (IsTimed(number) || peer == nullptr) return false;\n",
    "  if (peer == nullptr) return false;\n",
    "//core/observe:seam_message_test_par",
)
mutant(
    "handler_takes_the_wait_of_its_request", "core/observe/seam.h",
    "      log_->current.call = outer_;\n",
    "      log_->current.call = Call::kNone;\n",
    "//core/observe:seam_message_test_par",
)

# --- Messages of the library in statistics and traces ---

mutant(
    "reply_of_the_library_not_observed", "core/am/engine.h",
    "    Observe(token.source, message);\n    token.replied = true;\n",
    "    token.replied = true;\n",
    "//tools/gasnet_trace:traced_job_test",
)
mutant(
    "message_of_the_client_counted_as_the_librarys", "core/am/engine.h",
    "    if (message.handler >= kFirstClientHandler) return;\n",
    "",
    "//tools/gasnet_trace:traced_job_test",
)
