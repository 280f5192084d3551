"""Makes trace files by the description of their layout (core/observe/trace_format.h)."""

import struct

PAGE = 4096
EVENTS = 64
SOURCES = 256
HEADER = struct.Struct("<8s4IiI qq qqq qqq 4I QQQQQQQ 32s256s1024sq")
RING = struct.Struct("<iIQ48x")
EVENT = struct.Struct("<qHHIQQ")
(CALL_BEGINS, CALL_ENDS, HANDLER_BEGINS, HANDLER_ENDS, WAITED, TEXT, TEXT_MORE,
 SOURCE_LINE, THREAD, POSTED, COMPLETED, SENT) = range(1, 13)
NOBODY = 0xFFFFFFFF
NO_OFFSET = (0, -1, 0)
BARRIER, TRANSFERS = 3, 5
NATIVE_PUT, NATIVE_GET = 0, 1
# The handlers of the library have names, all others have none.
HANDLERS, BARRIER_REQUEST = 128, 11
CALLS = [(b"P", b"gasnet_put"), (b"A", b"gasnet_AMRequestShort"),
         (b"B", b"gasnet_barrier_wait")]
PUT, REQUEST, BARRIER_WAIT = range(3)
START = 1_000_000
DATE = 1_700_000_000_000_000_000


def event(nanos, kind, number, peer=NOBODY, size=0, argument=0):
    return EVENT.pack(START + nanos, kind, number, peer, size, argument)


def text(nanos, line):
    """Returns the cells of a line."""
    cells = []
    for at in range(0, max(len(line), 1), 20):
        kind, number = (TEXT_MORE, at) if at else (TEXT, len(line))
        cells.append(struct.pack("<qHH20s", START + nanos, kind, number,
                                 line[at:at + 20]))
    return b"".join(cells)


def ring(thread, cells, lost=0):
    """Returns a ring with these events, behind as many as are lost."""
    count = len(cells) // EVENT.size + lost
    stored = bytearray(EVENTS * EVENT.size)
    for i in range(len(cells) // EVENT.size):
        at = (lost + i) % EVENTS * EVENT.size
        stored[at:at + EVENT.size] = cells[i * EVENT.size:(i + 1) * EVENT.size]
    whole = RING.pack(thread, 0, count) + stored
    return whole.ljust(PAGE, b"\0")


def trace(rank, rings, ranks=2, host=0, start=NO_OFFSET, sources=(), untraced=0,
          messages_until=0):
    """Returns the bytes of a file."""
    calls = b"".join(group + name.ljust(63, b"\0") for group, name in CALLS)
    names = b"".join(source.ljust(128, b"\0") for source in sources)
    sources_at = PAGE + len(calls)
    handlers_at = sources_at + SOURCES * 128
    names = names.ljust(SOURCES * 128, b"\0") + bytes(BARRIER_REQUEST * 32)
    names += b"barrier_request".ljust((HANDLERS - BARRIER_REQUEST) * 32, b"\0")
    tables = calls + names
    tables = tables.ljust(-(-len(tables) // PAGE) * PAGE, b"\0")
    header = HEADER.pack(
        b"GASNTRC\n", 2, rank, ranks, host, 4000 + rank, 0, DATE, START, *start,
        *NO_OFFSET, len(CALLS), len(sources), 4, len(rings), EVENTS, PAGE, PAGE,
        sources_at, handlers_at, PAGE + len(tables), untraced, b"udp", b"host%d" % host,
        b"./heat", messages_until)
    return header.ljust(PAGE, b"\0") + tables + b"".join(rings)
