"""Sources that are compiled several at a time.

Reading headers takes more than half of a compilation. Sources that follow each other
in one file read their headers once, and take half of the time.
"""

# The most sources that are compiled at a time. Larger groups save little more, and
# the last one would occupy one processor for longer.
_MOST = 6

_GROUPED = "//build_defs:grouped"

def _is_grouped(source, apart):
    return source.endswith(".cc") and source not in apart and ":" not in source

def _divided(sources):
    """Returns the sources in groups of nearly the same number."""
    count = (len(sources) + _MOST - 1) // _MOST
    groups = []
    begin = 0
    for i in range(count):
        end = len(sources) * (i + 1) // count
        groups.append(sources[begin:end])
        begin = end
    return groups

def source_groups(name, srcs, apart = []):
    """Makes files of several sources each.

    Args:
      name: the stem of the files' names.
      srcs: sources of one library. Names in their anonymous namespaces must differ.
      apart: those of them that are compiled one at a time in any case.

    Returns:
      the sources for builds with groups.
    """
    sources = sorted([source for source in srcs if _is_grouped(source, apart)])
    if len(sources) < 2:
        return srcs
    grouped = [source for source in srcs if source not in sources]
    for i, group in enumerate(_divided(sources)):
        file = "%s_group_%d.cc" % (name, i)

        # A compiler's messages and the debugger name the sources themselves.
        native.genrule(
            name = "%s_group_%d" % (name, i),
            srcs = group,
            outs = [file],
            cmd = "for source in $(SRCS); do " +
                  "printf '#line 1 \"%s\"\\n' \"$$source\"; cat \"$$source\"; " +
                  "done > $@",
            tags = ["manual"],
            visibility = ["//visibility:private"],
        )
        grouped.append(file)
    return grouped

def in_groups(name, srcs, apart = []):
    """Returns the sources of a library, in groups if the build has them.

    Args:
      name: as of source_groups.
      srcs: as of source_groups. A select is returned as it is.
      apart: as of source_groups.

    Returns:
      a value for `srcs`.
    """
    if type(srcs) != "list":
        return srcs
    grouped = source_groups(name, srcs, apart)
    if grouped == srcs:
        return srcs
    return select({
        _GROUPED: grouped,
        "//conditions:default": srcs,
    })
