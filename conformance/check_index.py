"""Compares INDEX.md, the table of tests and the specification with each other.

Fails if a section of the specification has no entry in the index, if an entry
names no test of the table, if a test is not in the index, or if a name that the
specification defines occurs in no program of the suite.
"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

# The table of contents of specification 1.8, without its appendix.
SECTIONS = """
1 1.1 1.2 1.3 1.4 1.5 1.6 1.6.0.1 1.7 1.8 1.9
2 2.1 2.1.0.1 2.1.0.2 2.1.0.3 2.1.0.4 2.1.0.5
2.2 2.2.0.1 2.2.0.2 2.2.0.3 2.2.0.4
2.3 2.3.1 2.3.2 2.3.2.1 2.3.2.2 2.3.2.3 2.3.2.4
2.3.3 2.3.3.1 2.3.3.2 2.3.3.3 2.3.3.4 2.3.4 2.3.4.1 2.3.4.2 2.3.4.3
2.3.5 2.3.5.1 2.3.5.2 2.3.5.3
2.4 2.4.1 2.4.2 2.4.2.1 2.4.3 2.4.4 2.4.4.1 2.4.4.2 2.4.4.3 2.4.5
3 3.1 3.2 3.2.0.1 3.2.0.2 3.2.0.3
3.3 3.3.1 3.3.2 3.3.2.1 3.3.2.2 3.3.2.3 3.3.3 3.3.3.1 3.3.3.2 3.3.3.3
3.3.4 3.3.4.1 3.3.5 3.3.5.1 3.3.6 3.3.6.1
3.4 3.4.1 3.4.1.1 3.4.2 3.4.2.1 3.4.3 3.4.3.1
3.5 3.5.0.1 3.5.0.2 3.5.0.3
3.6 3.6.1 3.6.1.1 3.6.1.2 3.6.1.3 3.6.2 3.6.2.1
""".split()

# Subjects of the suite beyond specification 1.8.
BEYOND = ["names", "lives", "collectives", "pieces", "ex-messages",
          "ex-operations", "observing", "0.5"]

# Sections that only introduce others, or require nothing.
EMPTY = """
1 1.1 1.2 2 2.2 2.3.5 2.4 2.4.2 3.2 3.3 3.3.4 3.3.6 3.4 3.4.1 3.4.2 3.4.3 3.6.2
""".split()

# The specification's index of functions, macros and types. The functions for
# messages end in the number of their arguments.
NAMES = """
GASNET_ALIGNED_SEGMENTS GASNET_BARRIERFLAG_ANONYMOUS GASNET_BARRIERFLAG_MISMATCH
GASNET_BEGIN_FUNCTION GASNET_BLOCKUNTIL GASNET_CONFIG_STRING GASNET_ERR_BAD_ARG
GASNET_ERR_BARRIER_MISMATCH GASNET_ERR_NOT_INIT GASNET_ERR_NOT_READY
GASNET_ERR_RESOURCE GASNET_GET_THREADINFO GASNET_HSL_INITIALIZER
GASNET_INVALID_HANDLE GASNET_MAXNODES GASNET_OK GASNET_PAGESIZE GASNET_PAR
GASNET_PARSYNC GASNET_POST_THREADINFO GASNET_RELEASE_VERSION_MAJOR
GASNET_RELEASE_VERSION_MINOR GASNET_RELEASE_VERSION_PATCH
GASNET_SEGMENT_EVERYTHING GASNET_SEGMENT_FAST GASNET_SEGMENT_LARGE GASNET_SEQ
GASNET_SPEC_VERSION_MAJOR GASNET_SPEC_VERSION_MINOR GASNET_VERSION
GASNET_WAIT_BLOCK GASNET_WAIT_SPIN GASNET_WAIT_SPINBLOCK
SIZEOF_GASNET_REGISTER_VALUE_T gasnet_AMGetMsgSource gasnet_AMMaxArgs
gasnet_AMMaxLongReply gasnet_AMMaxLongRequest gasnet_AMMaxMedium gasnet_AMPoll
gasnet_AMReplyLong gasnet_AMReplyMedium gasnet_AMReplyShort
gasnet_AMRequestLong gasnet_AMRequestLongAsync gasnet_AMRequestMedium
gasnet_AMRequestShort gasnet_ErrorDesc gasnet_ErrorName gasnet_attach
gasnet_barrier_notify gasnet_barrier_try gasnet_barrier_wait
gasnet_begin_nbi_accessregion gasnet_end_nbi_accessregion gasnet_exit gasnet_get
gasnet_getMaxGlobalSegmentSize gasnet_getMaxLocalSegmentSize
gasnet_getSegmentInfo gasnet_get_bulk gasnet_get_nb gasnet_get_nb_bulk
gasnet_get_nb_val gasnet_get_nbi gasnet_get_nbi_bulk gasnet_get_val
gasnet_getenv gasnet_handle_t gasnet_handler_t gasnet_handlerarg_t
gasnet_handlerentry_t gasnet_hold_interrupts gasnet_hsl_destroy gasnet_hsl_init
gasnet_hsl_lock gasnet_hsl_t gasnet_hsl_trylock gasnet_hsl_unlock gasnet_init
gasnet_memset gasnet_memset_nb gasnet_memset_nbi gasnet_mynode gasnet_node_t
gasnet_nodes gasnet_put gasnet_put_bulk gasnet_put_nb gasnet_put_nb_bulk
gasnet_put_nb_val gasnet_put_nbi gasnet_put_nbi_bulk gasnet_put_nbi_val
gasnet_put_val gasnet_register_value_t gasnet_resume_interrupts gasnet_seginfo_t
gasnet_set_waitmode gasnet_threadinfo_t gasnet_token_t gasnet_try_syncnb
gasnet_try_syncnb_all gasnet_try_syncnb_some gasnet_try_syncnbi_all
gasnet_try_syncnbi_gets gasnet_try_syncnbi_puts gasnet_valget_handle_t
gasnet_wait_syncnb gasnet_wait_syncnb_all gasnet_wait_syncnb_some
gasnet_wait_syncnb_valget gasnet_wait_syncnbi_all gasnet_wait_syncnbi_gets
gasnet_wait_syncnbi_puts
""".split()


def _read(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as file:
        return file.read()


def _read_bzl(name):
    """Returns the names in a .bzl file, which is Python except for `load`."""

    def load(label, *names):
        loaded = _read_bzl(label.split(":")[1])
        table.update({name: loaded[name] for name in names})

    table = {"load": load}
    exec(_read(name), table)  # pylint: disable=exec-used
    return table


def read_table():
    """Returns the rows of table.bzl."""
    return _read_bzl("table.bzl")["TESTS"]


def read_index(text):
    """Returns the names of tests under each heading, by the heading's number."""
    index = {}
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        number, _, rest = part.partition(" ")
        body = rest.partition("\n")[2]
        index[number] = set(re.findall(r"`([^`]+)`", body))
    return index


def complaints(index, tests, programs):
    for section in SECTIONS + BEYOND:
        if section not in index:
            yield f"section {section} is not in the index"
        elif not index[section] and section not in EMPTY:
            yield f"section {section} names no test"
    for section in index:
        if section not in SECTIONS + BEYOND:
            yield f"section {section} is not in the specification"
    named = set().union(*index.values())
    for name in sorted(named - set(tests)):
        yield f"the index names {name}, which is no test of the table"
    for name in sorted(set(tests) - named):
        yield f"test {name} is not in the index"
    for name in NAMES:
        if not re.search(rf"\b{name}\d*\b", programs):
            yield f"no program uses {name}"


def main():
    tests = read_table()
    sources = sorted({row["source"] for row in tests.values()})
    programs = "".join(_read(source) for source in sources)
    found = list(complaints(read_index(_read("INDEX.md")), tests, programs))
    for complaint in found:
        print(complaint)
    print(f"{len(tests)} tests, {len(SECTIONS)} sections")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
