"""The mistakes that ./dev mutate puts into the code, one at a time.

A mutant changes behaviour that somebody relies on: one that is the same to all
observers cannot be noticed and does not belong here. Its tests are the few that
must notice it, by part: conformance rows rather than unit tests where a client
can see the difference. When a change to the code leaves a mutant broken, write
the same mistake anew. A bug that no test had noticed is one more.
"""

# pylint: disable=unused-import
from mutants import barriers, collective_calls, collective_hosts
from mutants import collective_unequal, collectives
from mutants import credits, ends_of_functions, fabric, fabric_strict, fabric_waits, jobs
from mutants import messages, networks, pieces, portals, portals_conduit
from mutants import portals_calls, portals_events, portals_progress
from mutants import portals_start
from mutants import portals_tables, transfers
from mutants.base import MUTANTS
