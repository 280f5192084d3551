"""The software Portals: how processes find each other, and their job."""

from mutants.base import mutant


def _robustness(name):
    return f"//portals/robustness:{name}_test"


mutant(
    "portals_door_opens_for_all_users", "portals/memory/door.cc",
    "peer.uid == geteuid();",
    "true;",
    _robustness("shut"),
)
mutant(
    "portals_shut_processes_have_no_door", "portals/api/library.cc",
    "if (number.door == nullptr && !IsShut()) return;",
    "if (number.door == nullptr) return;",
    _robustness("shut"),
)
mutant(
    "portals_shut_processes_wait_to_be_asked_for_help",
    "portals/api/entry_calls.cc",
    "entry.mapping != 0 && interface.peers_can_map();",
    "entry.mapping != 0;",
    _robustness("shut"),
)
mutant(
    "portals_own_users_names_are_complained_about", "portals/memory/region.cc",
    "if (!of_any_user && !is_strange) return;",
    "static_cast<void>(is_strange);",
    _robustness("shortages"),
)
mutant(
    "portals_launcher_hears_no_farewell", "portals/job/pmi1.cc",
    "if (is_first) atexit(&SayGoodbye);",
    "static_cast<void>(is_first);",
    _robustness("launched"),
)
