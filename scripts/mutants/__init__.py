"""The mistakes that ./dev mutate puts into the code, one at a time.

A mutant changes behaviour that somebody relies on. A change that no observer can notice
does not belong here, nor does one that a pattern makes as well (patterns.py). A
mutant's tests are the few that must notice it, listed by part. They are conformance
rows rather than unit tests if a client can see the difference. When a change to the
code leaves a mutant broken, write the same mistake anew. When a bug is found that no
test had noticed, add it.
"""

# pylint: disable=unused-import
from mutants import barriers, collectives, credits, ends_of_functions, fabric
from mutants import jobs, messages, networks, pieces, portals, portals_conduit
from mutants import transfers
from mutants.base import MUTANTS
