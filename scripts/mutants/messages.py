"""Mistakes in active messages, locks, and the rules on legal places of calls."""

from mutants.base import mutant, row

# --- Active messages ---

mutant(
    "message_without_room_is_lost", "core/am/engine.h",
    "return link_.Send(dest, lane, message) == Post::kDone;\n    };",
    "return link_.Send(dest, lane, message) == Post::kDone || true;\n    };",
    row("am_exactly_once"),
)
mutant(
    "last_argument_lost", "core/am/copy.h",
    "for (unsigned i = 0; i < count; ++i) out[i] = in[i];",
    "for (unsigned i = 0; i + 1 < count; ++i) out[i] = in[i];",
    row("c_am_arguments"),
)

# --- The thread that runs handlers ---

HANDLER_THREAD = "core/runtime/handler_thread.cc"
PACE = "core/runtime/handler_pace.h"

mutant(
    "handler_thread_does_not_serve", HANDLER_THREAD,
    "  thread_.Wake();\n",
    "",
    row("threads_served"),
)
mutant(
    "handler_thread_is_not_woken_to_end", HANDLER_THREAD,
    "  engine_.link().WakeOwn();\n",
    "",
    row("job_lives_threads"),
)
mutant(
    "threads_of_the_library_survive_exit", "core/runtime/runtime.cc",
    "  runtime->EndThreads(kThreadsAtExit);\n",
    "",
    row("threads_served_exit"),
)
mutant(
    "thread_that_ends_itself_waits_for_itself", "core/thread/library_thread.cc",
    "  if (pthread_equal(pthread_self(), thread_)) return;\n",
    "",
    "//core/thread:library_thread_test",
)
mutant(
    "handler_thread_naps_while_the_client_computes", PACE,
    "if (!round.clients_served && !in_vain) return 0;",
    "if (round.clients_served && !in_vain) return 0;",
    "//core/runtime:handler_pace_test",
)
mutant(
    "naps_of_the_handler_thread_stay_long", PACE,
    "if (needed || round.slept >= nap_) nap_ = 0;",
    "if (needed && round.slept >= nap_) nap_ = 0;",
    "//core/runtime:handler_pace_test",
)
mutant(
    "handler_thread_may_be_asked_for_anywhere",
    "core/runtime/handler_thread_setting.cc",
    "if (!possible) {",
    "if (!possible && false) {",
    "//core/runtime:handler_thread_setting_test",
)

# --- Locks and rules ---

mutant(
    "lock_does_nothing", "api/include/gasnet/atomicity.h",
    "#define GASNETI_HSL_EXCLUDES 1",
    "#define GASNETI_HSL_EXCLUDES 0",
    row("atomicity_locks_exclude"),
)
mutant(
    "contended_lock_does_nothing", "core/thread/handler_safe_lock.cc",
    "  while (StateOf(lock).exchange(kContended, std::memory_order_acquire) !=\n"
    "         kFree) {",
    "  while (StateOf(lock).exchange(kContended, std::memory_order_acquire) >\n"
    "         kContended) {",
    row("atomicity_locks_exclude"),
)
mutant(
    "unlock_wakes_nobody", "core/thread/handler_safe_lock.cc",
    "  FutexWake(FutexWord(lock), 1);\n",
    "",
    row("atomicity_locks_exclude"),
)
mutant(
    "request_with_lock_held_accepted", "core/thread/rules.cc",
    """    Fatal("%s called while holding a handler-safe lock", call);
  }
  if (self.interrupts_held)""",
    """    static_cast<void>(0);
  }
  if (self.interrupts_held)""",
    row("misuse_messages", "smp_par_checked"),
)
mutant(
    "second_reply_accepted", "core/thread/rules.cc",
    'if (replied) Fatal("%s called a second time for the same request", call);',
    "static_cast<void>(replied);",
    row("misuse_messages", "smp_par_checked"),
)

# --- The serving thread, and legal messages ---

mutant(
    "naps_do_not_grow", "core/am/wait.h",
    "    return std::clamp(waited / kShareOfWait,\n",
    "    return std::clamp(0 * waited / kShareOfWait,\n",
    "//core/am:wait_test_par",
)
mutant(
    "wait_mode_of_the_environment_ignored", "export/job_functions.h",
    "    runtime->SetWaitMode(WaitModeFromEnvironment());\n",
    "    runtime->SetWaitMode(am::WaitMode::kSpinBlock);\n",
    "//export:job_functions_test_par",
)
mutant(
    "payload_to_oneself_is_the_source", "core/am/self_delivery.h",
    "args, copy, nbytes);\n  }\n\n  template <Lane lane>\n"
    "  [[gnu::noinline]] void RunLarge",
    "args, const_cast<void*>(payload), nbytes);\n  }\n\n"
    "  template <Lane lane>\n  [[gnu::noinline]] void RunLarge",
    row("am_to_oneself"),
)
mutant(
    "index_of_gasnets_own_handlers_accepted", "export/client_handler.h",
    "  return handler - am::kFirstClientHandler <\n"
    "         am::kHandlers - am::kFirstClientHandler;",
    "  return handler < am::kHandlers;",
    row("am_handler_indices"),
)
mutant(
    "own_handlers_take_anything", "core/am/dispatcher.h",
    "handlers_.SignatureOf(message.handler) != signature)) [[unlikely]]",
    "handlers_.SignatureOf(message.handler) != signature &&\n"
    "         message.num_args > 99)) [[unlikely]]",
    "//core/am:engine_test_par",
)

# --- In front of the conduit ---

mutant(
    "handler_index_cut_before_it_is_looked_at", "export/client_handler.h",
    "  return handler - am::kFirstClientHandler <\n",
    "  return static_cast<unsigned char>(handler) - am::kFirstClientHandler <\n",
    "//export:message_functions_test_par",
)

# --- Messages of further endpoints ---

mutant(
    "further_message_to_primordial", "ex/further_messages.cc",
    "Client::Mine().Find(head.to)",
    "Client::Mine().Find(0)",
    row("ex_endpoint_messages"),
)
mutant(
    "further_reply_to_own_index", "ex/further_messages.cc",
    "static_cast<EndpointIndex>(own ^ token.across)",
    "own",
    row("ex_endpoint_messages"),
)
mutant(
    "assembly_whole_without_head", "ex/assemblies.cc",
    "!assembly.has_head || assembly",
    "assembly",
    "//ex:further_head_test",
)
