"""Sentences of comments and documents, and the rule on how they begin.

docs/STYLE.md, "Words": no sentence begins with what, who or whoever in the
place of a subject. A question may, and so may an example in quotation marks.
"""

import re

HEADLESS = re.compile(
    r"(?:^|(?<=[.!?:] )|(?<=[.!?:][*)`\"'] )|(?<=[.!?:]\*\* ))[*(]*"
    r"(?:What(?:ever)?|Who(?:m|se|ever)?|Which(?:ever)?)\b"
)
END = re.compile(r"[.?!](?=$|[\s\"')*])")
CODE = re.compile(r"^(\s*)```.*?^\s*```", re.DOTALL | re.MULTILINE)
ITEM = re.compile(r"(?:[-*]|\d+\.)\s+")
BLOCK = re.compile(r"/\*.*?\*/", re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')


def _blank(match):
    return "\n" * match.group().count("\n")


def _paragraphs(lines):
    """(line, text) of each run of lines; None and list items begin anew."""
    start, words = 0, []
    for number, line in [*lines, (0, None)]:
        if line is None or not line.strip() or ITEM.match(line.strip()):
            if words:
                yield start, " ".join(words)
            start, words = number, []
        if line and line.strip():
            if not words:
                start = number
            words.append(ITEM.sub("", line.strip(), count=1))


def _document(text):
    """Cells and headings each by themselves, prose in paragraphs, no code."""
    prose = []
    for number, line in enumerate(CODE.sub(_blank, text).split("\n"), 1):
        content = line.strip().lstrip(">").strip()
        if content.startswith(("|", "#")):
            prose.append((number, None))
            for part in content.strip("|# ").split("|"):
                yield number, part.strip()
        else:
            prose.append((number, content))
    yield from _paragraphs(prose)


def _block_comments(text):
    for found in BLOCK.finditer(text):
        first = text.count("\n", 0, found.start()) + 1
        lines = found.group()[2:-2].split("\n")
        yield from _paragraphs(
            (first + i, line.strip().lstrip("*")) for i, line in enumerate(lines)
        )


def _line_comments(text):
    lines = []
    for number, line in enumerate(BLOCK.sub(_blank, text).split("\n"), 1):
        code, mark, comment = STRING.sub('""', line).partition("//")
        if not mark or code.strip():
            lines.append((number, None))
        if mark:
            lines.append((number, comment.lstrip("/ ")))
        if mark and code.strip():
            lines.append((number, None))
    yield from _paragraphs(lines)


def paragraphs(path, text):
    """(line, text) of all paragraphs, as far as the rule goes for the path."""
    if path.endswith(".md"):
        yield from _document(text)
    elif path.endswith((".h", ".inc", ".cc", ".c")):
        yield from _block_comments(text)
        yield from _line_comments(text)


def check_headless(path, text):
    """(line of its paragraph, complaint) of every sentence without a head."""
    for line, paragraph in paragraphs(path, text):
        for found in HEADLESS.finditer(paragraph):
            rest = paragraph[found.start() :]
            end = END.search(rest)
            if not end or end.group() != "?":
                yield line, f"no subject comes first: {rest[:40]}"
