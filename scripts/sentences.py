"""Checks how sentences of comments and documents begin.

docs/STYLE.md, "Words": no sentence begins with "what", "who" or "which" as its subject,
nor with "whether", "of", "where", "by", "for" or "as". Questions, quoted examples and the
set phrases of RIGHT are exempt.
"""

import io
import re
import tokenize

# Set phrases that begin a sentence rightly.
RIGHT = r"By default|For (?:example|instance|tests)"
HEADLESS = re.compile(
    r"(?:^|(?<=[.!?:] )|(?<=[.!?:][*)`\"'] )|(?<=[.!?:]\*\* ))[*(]*"
    rf"(?!(?:{RIGHT})\b)"
    r"(?:What(?:ever)?|Who(?:m|se|ever)?|Which(?:ever)?|"
    r"Where(?:ver)?|Whether|Of|By|For|As)\b"
)
END = re.compile(r"[.?!](?=$|[\s\"')*])")
CODE = re.compile(r"^(\s*)```.*?^\s*```", re.DOTALL | re.MULTILINE)
ITEM = re.compile(r"(?:[-*]|\d+\.)\s+")
BLOCK = re.compile(r"/\*.*?\*/", re.DOTALL)
# Code, including its strings and any # within a word, and the comment after it.
SHELL_COMMENT = re.compile(
    r"""((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^"'\\#]|(?<=\S)#)*)"""
    r"""(?<!\S)#+(?!!)\s?(.*)"""
)
DOCSTRING = re.compile(r"""\w*("{3}|'{3}|"|')(.*)\1$""", re.DOTALL)
LAYOUT = (tokenize.NL, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT)
FONT = re.compile(r"\\f(?:\w|\(..|\[\w*\])")
FONT_REQUEST = re.compile(r"^\.(?:[BIR]|BI|BR|IB|IR|RB|RI|SB|SM) +")
BASH = "#!/bin/bash\n"  # first line of scripts without a suffix
MANUAL_PAGE = re.compile(r"\.[1-9]$")
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')


def _blank(match):
    return "\n" * match.group().count("\n")


def _paragraphs(lines):
    """Yields (line, text) of each run of lines; None and list items begin anew."""
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
    """Returns the text of a document: cells and headings each alone, prose in
    paragraphs, no code."""
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


def _alone(lines):
    """Separates comments behind code, of (line, code, comment), into paragraphs."""
    for number, code, comment in lines:
        if code or comment is None:
            yield number, None
        if comment is not None:
            yield number, comment
        if code and comment is not None:
            yield number, None


def _shell_comments(text):
    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        found = SHELL_COMMENT.match(line)
        code = line if found is None else found.group(1).strip()
        lines.append((number, code, found and found.group(2)))
    yield from _paragraphs(_alone(lines))


def _python_tokens(text):
    """Returns the tokens of Python, which Starlark shares. The interpreter complains of
    unfinished text."""
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _python_comments(text):
    lines = {n: (n, line, None) for n, line in enumerate(text.split("\n"), 1)}
    for token in _python_tokens(text):
        if token.type == tokenize.COMMENT and not token.string.startswith("#!"):
            number, column = token.start
            code = token.line[:column].strip()
            lines[number] = (number, code, token.string.lstrip("#").strip())
    yield from _paragraphs(_alone(lines.values()))


def _docstrings(text):
    """Returns the strings that are statements; strings within statements are data."""
    begins = True
    for token in _python_tokens(text):
        if begins and token.type == tokenize.STRING:
            lines = DOCSTRING.match(token.string).group(2).split("\n")
            yield from _paragraphs(enumerate(lines, token.start[0]))
        if token.type == tokenize.NEWLINE:
            begins = True
        elif token.type not in LAYOUT:
            begins = False


def _manual_page(text):
    """Returns the text of a manual page. A request that sets no font ends a paragraph,
    and so does a tag."""
    lines, is_tag = [], False
    for number, line in enumerate(text.split("\n"), 1):
        words = FONT.sub("", FONT_REQUEST.sub("", line))
        lines.append((number, None if words.startswith(".") else words))
        if is_tag:
            lines.append((number, None))
        is_tag = line.startswith(".TP")
    yield from _paragraphs(lines)


def paragraphs(path, text):
    """Returns (line, text) of all paragraphs to which the rule applies for the path."""
    if path.endswith(".md"):
        yield from _document(text)
    elif path.endswith((".h", ".inc", ".cc", ".c")):
        yield from _block_comments(text)
        yield from _line_comments(text)
    elif path.endswith((".py", ".bzl", ".bazel", "WORKSPACE")):
        yield from _docstrings(text)
        yield from _python_comments(text)
    elif path.endswith(".sh") or text.startswith(BASH):
        yield from _shell_comments(text)
    elif MANUAL_PAGE.search(path):
        yield from _manual_page(text)


def check_headless(path, text):
    """Yields (line of its paragraph, complaint) for every sentence without a head."""
    for line, paragraph in paragraphs(path, text):
        for found in HEADLESS.finditer(paragraph):
            rest = paragraph[found.start() :]
            end = END.search(rest)
            if not end or end.group() != "?":
                yield line, f"no subject comes first: {rest[:40]}"
