"""Abseil's own tree of sources and BUILD files, as a repository.

It is compiled here instead of using a distribution's archives. Those are made for
programs, and only our own objects can be hidden in a library for clients.
"""

def _tree(ctx):
    """Returns the directory of the sources that `./dev setup` keeps (scripts/abseil.sh)."""
    environ = ctx.os.environ
    if environ.get("GASNET_ABSEIL"):
        return environ["GASNET_ABSEIL"]
    caches = environ.get("XDG_CACHE_HOME") or environ.get("HOME", "") + "/.cache"
    return caches + "/gasnet-abseil/current"

def _options(text):
    """Returns Abseil's options.h: types of the standard library, our own namespace.

    Debian changes both for programs that share its library. The namespace separates
    the objects compiled here from another Abseil in the same program.
    """
    lines = []
    for line in text.splitlines():
        words = line.split(" ")
        if line.startswith("#define ABSL_OPTION_USE_STD_"):
            line = "#define %s 1" % words[1]
        elif line.startswith("#define ABSL_OPTION_INLINE_NAMESPACE_NAME "):
            line = "#define %s gasnet" % words[1]
        lines.append(line)
    return "\n".join(lines) + "\n"

def _link_all_but(ctx, directory, name, but):
    for entry in directory.readdir():
        if entry.basename != but:
            ctx.symlink(entry, name + "/" + entry.basename)

def _abseil_repository_impl(ctx):
    tree = ctx.path(_tree(ctx))
    absl = tree.get_child("absl")
    base = absl.get_child("base")
    if not base.exists:
        fail(("%s: %s is no source tree of Abseil. './dev setup' fetches one; " +
              "GASNET_ABSEIL names another.") % (ctx.name, tree))
    for name in ["BUILD.bazel", "LICENSE"]:
        ctx.symlink(tree.get_child(name), name)
    _link_all_but(ctx, absl, "absl", "base")
    _link_all_but(ctx, base, "absl/base", "options.h")
    options = ctx.read(base.get_child("options.h"))
    ctx.file("absl/base/options.h", _options(options), executable = False)
    ctx.file("WORKSPACE", "workspace(name = \"%s\")\n" % ctx.name)

abseil_repository = repository_rule(
    implementation = _abseil_repository_impl,
    configure = True,
    environ = ["GASNET_ABSEIL", "HOME", "XDG_CACHE_HOME"],
    local = True,
)
