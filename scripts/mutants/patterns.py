"""Mistakes of common kinds, found in a file by pattern.

Each is a mistake of a tired engineer: a comparison turned, a constant off by one, a
condition or a call left out, two statements in the wrong order. They survive a
refactoring, since no text is kept here. Some change nothing that anybody could observe,
so no test can notice them.
"""

import collections
import random
import re

# A piece of a file, and its replacement.
Change = collections.namedtuple("Change", "kind start end new")

TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}

# Text that a compiler skips, or whose effect nobody observes.
SILENT = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|'
    r"^[ ]*#(?:[^\n\\]|\\\n|\\.)*|\bstatic_assert\b[^;]*;|\btemplate <[^;{]*?>\n",
    re.DOTALL | re.MULTILINE)

# The lines of a statement, without a block: the first has no control word.
STATEMENT = re.compile(
    r"^(?P<indent> +)(?!(?:return|break|continue|case|default|using|namespace|"
    r"friend|public|private|else|if|for|while|do|switch|goto|delete|struct|class|"
    r"enum|typedef|static|template)\b)"
    r"(?P<first>[A-Za-z_*+(&\-][^\n;{}]*(?:\n(?P=indent)    [^\n;{}]*)*;)\n",
    re.MULTILINE)

CALL = re.compile(r"^(?:static_cast<void>\()?[\w:.\->*]+\(.*\);$", re.DOTALL)
ASSIGNED = re.compile(r"^[\w.\->*\[\]]+(?: [-+*/&|^]?= [^;]*|\+\+);$|^(?:\+\+|--)[^;]*;$")

# if (CONDITION) STATEMENT; on one line, or on two.
GUARDED = re.compile(r"^ +(?P<guard>if (?:constexpr )?\([^\n;{}]*\)\s+)"
                     r"(?P<body>[^\n;{}]*;)\n", re.MULTILINE)

# if (CONDITION) {
BLOCK = re.compile(r"\bif \((?P<condition>[^;{}]*)\) \{$", re.MULTILINE)

# A simple argument, and the next one.
NAME = r"[A-Za-z_][\w.\[\]]*(?:\(\))?"
ARGUMENTS = re.compile(rf"(?<=[( ])(?P<one>{NAME}), (?P<two>{NAME})(?=[,)])")


def blanked(text):
    """Returns the text with as many spaces in place of comments and unobserved text."""
    return SILENT.sub(
        lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def turned_comparisons(code):
    for match in re.finditer(r"(?<= )(<=|>=|<|>|==|!=)(?= )", code):
        yield Change("comparison turned", *match.span(), TURNED[match.group()])


def constants_off_by_one(code):
    for match in re.finditer(r"(?<![\w.'])\d{1,9}(?![\w.'])", code):
        yield Change("constant off by one", *match.span(),
                     str(int(match.group()) + 1))


def turned_signs(code):
    for match in re.finditer(r"(?<=[\w)\]] )[+-](?= [\w(])", code):
        yield Change("sign turned", *match.span(),
                     "-" if match.group() == "+" else "+")


def turned_constants(code):
    for match in re.finditer(r"\b(?:true|false)\b", code):
        yield Change("truth turned", *match.span(),
                     "false" if match.group() == "true" else "true")


def conditions_left_out(code):
    for match in re.finditer(r" (?:&&|\|\|)\s+!?[\w:.\->\[\]]+(?:\([^()]*\))?"
                             r"(?: (?:[<>]=?|==|!=) [\w:.\->]+)?(?=[);\s])", code):
        yield Change("condition left out", *match.span(), "")
    for match in re.finditer(r"(?<=\()!?[\w:.\->\[\]]+(?:\([^()]*\))?"
                             r"(?: (?:[<>]=?|==|!=) [\w:.\->]+)? (?:&&|\|\|)\s+", code):
        yield Change("condition left out", *match.span(), "")


def guards_left_out(code):
    for match in GUARDED.finditer(code):
        body = match["body"]
        yield Change("guarded statement left out", match.start("guard"),
                     match.end("body"), "")
        if not body.startswith(("return", "continue", "break")):
            yield Change("guard left out", *match.span("guard"), "")


def conditions_turned(code):
    for match in BLOCK.finditer(code):
        yield Change("condition turned", *match.span("condition"),
                     f"!({match['condition']})")


def arguments_swapped(code):
    for match in ARGUMENTS.finditer(code):
        yield Change("arguments swapped", *match.span(),
                     f"{match['two']}, {match['one']}")


def bounds_turned(code):
    for match in re.finditer(r"(?<=std::)(?:min|max)\b", code):
        yield Change("bound turned", *match.span(),
                     "max" if match.group() == "min" else "min")


def statements_left_out(code):
    for match in STATEMENT.finditer(code):
        text = match.group("first")
        if CALL.match(text):
            yield Change("call left out", match.start("first"),
                         match.end("first"), ";")
        elif ASSIGNED.match(text):
            yield Change("assignment left out", match.start("first"),
                         match.end("first"), ";")


def swapped_statements(code):
    statements = list(STATEMENT.finditer(code))
    for one, two in zip(statements, statements[1:]):
        if one.end() == two.start() and one["indent"] == two["indent"]:
            yield Change("order changed", one.start(), two.end(),
                         (two.span(), one.span()))


KINDS = [
    turned_comparisons, constants_off_by_one, turned_signs, turned_constants,
    conditions_left_out, conditions_turned, guards_left_out,
    statements_left_out, swapped_statements, arguments_swapped, bounds_turned,
]


def changes(text):
    """Returns all changes that the patterns find in the text of a file."""
    code = blanked(text)
    found = []
    for kind in KINDS:
        for change in kind(code):
            new = change.new
            if not isinstance(new, str):
                new = "".join(text[start:end] for start, end in new)
            found.append(change._replace(new=new))
    return found


def applied(text, change):
    return text[:change.start] + change.new + text[change.end:]


def line_of(text, change):
    return text.count("\n", 0, change.start) + 1


def choose(files, count, seed):
    """Returns `count` changes of these files (path -> text), as (path, change).

    Every file has its turn before any has a second one, and so has every kind of
    change. The same seed chooses the same changes of a file as long as the file does
    not change.
    """
    queues = []
    for path in sorted(files):
        chance = random.Random(f"{seed} {path}")
        by_kind = collections.defaultdict(list)
        for change in changes(files[path]):
            by_kind[change.kind].append(change)
        for found in by_kind.values():
            chance.shuffle(found)
        kinds = sorted(by_kind)
        chance.shuffle(kinds)
        queue = []
        while any(by_kind.values()):
            queue += [by_kind[kind].pop() for kind in kinds if by_kind[kind]]
        if queue:
            queues.append((path, queue))
    random.Random(seed).shuffle(queues)
    chosen = []
    while len(chosen) < count and any(queue for _, queue in queues):
        for path, queue in queues:
            if queue and len(chosen) < count:
                chosen.append((path, queue.pop(0)))
    return chosen
