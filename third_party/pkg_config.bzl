"""Finds a system library through pkg-config, or fails with a remedy.

pkg_config_repository makes one cc_library for every requested pkg-config module. A
module's `Requires` become deps, which makes the link order right.
"""

_BUILD_HEADER = """# Generated from {pcdir}; see third_party/pkg_config.bzl.
package(default_visibility = ["//visibility:public"])
"""

_LIBRARY = """
cc_library(
    name = {name},
    srcs = {srcs},
    defines = {defines},
    linkopts = {linkopts},
    linkstatic = True,
    deps = {deps},
)
"""

def _missing(ctx, what):
    fail(("%s: %s. Install the Debian package: apt-get install %s" %
          (ctx.name, what, ctx.attr.debian_package)))

def _pkg_config(ctx, args):
    program = ctx.which("pkg-config")
    if not program:
        fail("%s: pkg-config is not installed. Install the Debian package: " % ctx.name +
             "apt-get install pkg-config")
    return ctx.execute([program] + args)

def _query(ctx, module, args):
    result = _pkg_config(ctx, args + [module])
    if result.return_code != 0:
        _missing(ctx, "pkg-config does not know %s" % module)
    return result.stdout.strip()

def _fields(ctx, path):
    """Returns the fields of a .pc file, with its variables expanded."""
    variables = {}
    fields = {"Requires": "", "Libs": "", "Libs.private": "", "Cflags": ""}
    for line in ctx.read(path).splitlines():
        for name, value in variables.items():
            line = line.replace("${%s}" % name, value)
        colon = line.find(":")
        equals = line.find("=")
        if equals > 0 and (colon < 0 or equals < colon):
            variables[line[:equals].strip()] = line[equals + 1:].strip()
        elif colon > 0:
            fields[line[:colon].strip()] = line[colon + 1:].strip()
    return fields

def _words(text):
    return [word for word in text.replace("\t", " ").split(" ") if word]

def _required(fields):
    """Returns the module names in a Requires field, without version constraints."""
    names = []
    for clause in fields["Requires"].replace(",", " , ").split(","):
        words = _words(clause)
        if words:
            names.append(words[0])
    return names

def _archive(ctx, libdirs, flag):
    """Returns a -l flag's static archive, after linking it into the repository."""
    file = "lib%s.a" % flag[len("-l"):]
    for libdir in libdirs:
        path = ctx.path(libdir + "/" + file)
        if path.exists:
            local = "lib/" + file
            if not ctx.path(local).exists:
                ctx.symlink(path, local)
            return local
    return None

def _split_libs(ctx, fields):
    """Returns archives to link from this repository, and flags left to the linker."""
    words = _words(fields["Libs"])
    if ctx.attr.static:
        words += _words(fields["Libs.private"])
    libdirs = [word[2:] for word in words if word.startswith("-L")]
    archives = []
    linkopts = []
    for word in words:
        archive = None
        if ctx.attr.static and word.startswith("-l"):
            archive = _archive(ctx, libdirs, word)
        if archive and archive not in archives:
            archives.append(archive)
        elif not archive and word not in linkopts and not word.startswith("-L"):
            linkopts.append(word)
    return archives, linkopts

def _library(ctx, module, path, known):
    fields = _fields(ctx, path)
    archives, linkopts = _split_libs(ctx, fields)
    defines = [
        word[2:]
        for word in _words(fields["Cflags"])
        if word.startswith("-D") and word != "-DNOMINMAX"
    ]
    deps = [":" + name for name in _required(fields) if name in known]
    return _LIBRARY.format(
        name = repr(module),
        srcs = repr(archives),
        defines = repr(defines),
        linkopts = repr(linkopts),
        deps = repr(deps),
    )

def _pkg_config_repository_impl(ctx):
    modules = ctx.attr.modules
    pcdir = _query(ctx, modules[0], ["--variable=pcfiledir"])
    build = _BUILD_HEADER.format(pcdir = pcdir)
    for module in modules:
        path = ctx.path("%s/%s.pc" % (pcdir, module))
        if not path.exists:
            _missing(ctx, "%s is not there" % path)
        build += _library(ctx, module, path, modules)
    ctx.file("BUILD.bazel", build)

pkg_config_repository = repository_rule(
    implementation = _pkg_config_repository_impl,
    attrs = {
        "debian_package": attr.string(
            mandatory = True,
            doc = "The Debian packages to install when the library is missing.",
        ),
        "modules": attr.string_list(
            mandatory = True,
            doc = "The pkg-config modules to offer.",
        ),
        "static": attr.bool(
            doc = "Link the static archives where they are installed.",
        ),
    },
    configure = True,
    environ = ["PKG_CONFIG_PATH"],
    local = True,
)
