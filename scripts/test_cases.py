"""Reads the outcome of each case of a `bazel test` run.

Bazel's build events name every test's test.xml and the result of its run. Both are
needed: a test that timed out, crashed or was not built has no complete test.xml, and
must still count as failed.
"""

import collections
import json
import urllib.parse
import xml.etree.ElementTree as ElementTree

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
SKIP_MARK = "SKIP: "

Case = collections.namedtuple("Case", "outcome name reason")


def _path(uri):
    return urllib.parse.unquote(urllib.parse.urlparse(uri).path)


def _message(element):
    """Returns a failure's or skip's text in one line, without its location."""
    lines = (element.get("message") or element.text or "").strip().split("\n")
    if len(lines) > 1 and ":" in lines[0] and " " not in lines[0]:
        lines = lines[1:]
    return " ".join(line.strip() for line in lines if line.strip())


def _printed_skip(suite):
    """Returns the reason for skipping that a program without GoogleTest printed."""
    for line in (suite.findtext("system-out") or "").splitlines():
        if line.startswith(SKIP_MARK):
            return line[len(SKIP_MARK):].strip()
    return None


def _case(suite, element):
    name = ".".join(
        part for part in (element.get("classname"), element.get("name")) if part
    )
    for bad in ("failure", "error"):
        found = element.find(bad)
        if found is not None:
            return Case(FAILED, name, _message(found))
    skip = element.find("skipped")
    if skip is not None:
        return Case(SKIPPED, name, _message(skip) or "no reason given")
    if element.get("status") == "notrun":
        return Case(SKIPPED, name, "disabled")
    printed = _printed_skip(suite)
    if printed is not None:
        return Case(SKIPPED, name, printed)
    return Case(PASSED, name, "")


def cases_of_xml(path):
    """Returns the cases in one test.xml; none if it cannot be read."""
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return []
    suites = [root] if root.tag == "testsuite" else root.iter("testsuite")
    return [
        _case(suite, element)
        for suite in suites
        for element in suite.findall("testcase")
    ]


def _cases_of_run(label, result):
    """Returns the cases of one run of one test."""
    status = result.get("status", "NO_STATUS")
    paths = [
        _path(output["uri"])
        for output in result.get("testActionOutput", [])
        if output.get("name") == "test.xml" and "uri" in output
    ]
    cases = [
        case._replace(name=f"{label} {case.name}")
        for path in paths
        for case in cases_of_xml(path)
    ]
    passed = status in ("PASSED", "FLAKY")
    if not passed and not any(case.outcome == FAILED for case in cases):
        cases.append(Case(FAILED, label, status.lower().replace("_", " ")))
    if passed and not cases:
        cases.append(Case(FAILED, label, "passed, but left no readable test.xml"))
    return cases


def _not_built(identity, event):
    """Returns a case for a target that could not be analysed or built, else nothing."""
    if "targetCompleted" not in identity:
        return []
    if event.get("completed", {}).get("success"):
        return []
    if event.get("aborted", {}).get("reason") == "SKIPPED":
        return []
    return [Case(FAILED, identity["targetCompleted"]["label"], "not built")]


def cases_of_events(lines):
    """Returns all cases of a `bazel test` whose JSON build events are `lines`."""
    broken, runs = {}, {}
    for line in lines:
        event = json.loads(line)
        identity = event["id"]
        for case in _not_built(identity, event):
            broken.setdefault(case.name, case)
        if "testResult" in identity and "testResult" in event:
            key = identity["testResult"]
            # A later attempt replaces an earlier one.
            runs[key["label"], key["run"], key["shard"]] = event["testResult"]
    cases = list(broken.values())
    for (label, _, _), result in runs.items():
        if label not in broken:
            cases.extend(_cases_of_run(label, result))
    return cases
