"""The C and C++ rules of the BUILD files, from `bazel query --output=xml`.

Both sides of a select() count, since the query has no configuration. Rules of other
kinds than those named here offer no headers.
"""

import posixpath
import xml.etree.ElementTree

COMPILED = ("cc_library", "cc_binary", "cc_test")
# Rules that offer the headers of others, with the attribute that has these.
FORWARDING = {
    "alias": "actual",
    # build_defs/compiled_once.bzl
    "joined_library": "own",
    # build_defs/settings_free.bzl
    "settings_free_libraries": "libraries",
}
# Rules whose names stand for files in attributes of others.
FILES = ("filegroup", "genrule")
QUERY = 'kind("^(%s) rule", //... + deps(//third_party/abseil:all, 1))' % "|".join(
    (*COMPILED, *FORWARDING, *FILES))


def path_of(label):
    """Returns a file's path from the root of its repository."""
    package, name = label.partition("//")[2].split(":")
    return posixpath.normpath(posixpath.join(package, name))


def is_ours(label):
    return label.startswith("//")


def _labels(element, attribute):
    """Returns the labels of an attribute."""
    found = []
    for part in element.findall(f"*[@name='{attribute}']"):
        if part.tag == "label" and "value" not in part.attrib:
            # The query lists a select() of one label only among all inputs of the rule.
            found += [given.get("name") for given in element.findall("rule-input")]
        found += [label.get("value") for label in part.iter("label")]
    return [label for label in found if label]


class Rule:
    """One cc_library, cc_binary or cc_test, with the paths of its files."""

    def __init__(self, element, files):
        def paths(attribute):
            return [path_of(file) for label in _labels(element, attribute)
                    for file in files.of(label)]

        self.name = element.get("name")
        # The same for all rules that one call of a macro makes.
        self.place = element.get("location")
        self.deps = _labels(element, "deps")
        self.private = set(paths("srcs"))
        self.public = set(paths("hdrs") + paths("textual_hdrs"))
        package = self.name.partition("//")[2].split(":")[0]
        self.include_directories = {
            posixpath.normpath(posixpath.join(package, part.get("value")))
            for part in element.findall("list[@name='includes']/string")}

    def files(self):
        return self.private | self.public


class _Files:
    """The files of filegroups and genrules."""

    def __init__(self, elements):
        self._parts = {}
        for element in elements:
            name = element.get("name")
            if element.get("class") == "filegroup":
                self._parts[name] = _labels(element, "srcs")
            elif element.get("class") == "genrule":
                self._parts[name] = [
                    output.get("name") for output in element.findall("rule-output")]

    def of(self, label):
        if label not in self._parts:
            return [label]
        return [file for part in self._parts[label] for file in self.of(part)]


class Rules:
    """All rules, by their labels.

    A library without files of its own offers the headers of its dependencies.
    """

    def __init__(self, text):
        # Bazel calls this XML 1.1, but uses nothing of it.
        root = xml.etree.ElementTree.fromstring(text)
        elements = root.findall("rule")
        files = _Files(elements)
        self.compiled = {}
        self._forwarded = {}
        self._offers = {}
        for element in elements:
            name, kind = element.get("name"), element.get("class")
            if kind in COMPILED:
                rule = self.compiled[name] = Rule(element, files)
                if kind == "cc_library" and not rule.files():
                    self._forwarded[name] = rule.deps
            elif kind in FORWARDING:
                self._forwarded[name] = _labels(element, FORWARDING[kind])

    def names(self):
        return [*self.compiled, *(self._forwarded.keys() - self.compiled.keys())]

    def offers(self, label):
        """Returns a label and all labels whose headers it offers."""
        if label not in self._offers:
            offered = {label}
            for part in self._forwarded.get(label, ()):
                offered |= self.offers(part)
            self._offers[label] = offered
        return self._offers[label]

    def public(self, label):
        """Returns the headers that dependents of a label may include."""
        return {header for offered in self.offers(label) if offered in self.compiled
                for header in self.compiled[offered].public}
