#!/usr/bin/env python3
"""Runs one example under the launcher and checks what it prints.

    example_test.py NAME GASNETRUN PROGRAM RANKS [CASE...]

Every case, or those that are named, runs on each number of ranks: 1,3,4 for
example. Results are compared with ones worked out
here, not with the program's own opinion alone. A report with one entry for each
run goes to $XML_OUTPUT_FILE.
"""

import collections
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree as ET
import zlib

SECONDS_PER_RUN = 120


class Runner:
    """Starts the program, in a directory of its own."""

    def __init__(self, launcher, program, directory):
        self.launcher = os.path.abspath(launcher)
        self.program = os.path.abspath(program)
        self.directory = directory

    def run(self, ranks, *arguments, code=0):
        """Returns what the program printed, having ended with `code`."""
        command = [self.launcher, '-n', str(ranks), self.program, *arguments]
        done = subprocess.run(command, cwd=self.directory, timeout=SECONDS_PER_RUN,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        done.stdout = done.stdout.decode('utf-8', 'surrogateescape')
        done.stderr = done.stderr.decode('utf-8', 'surrogateescape')
        if done.returncode != code:
            raise AssertionError(
                f'{command} ended with {done.returncode}, not {code}\n'
                f'--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}')
        return done

    def path(self, name):
        return os.path.join(self.directory, name)


def expect(actual, wanted):
    if actual != wanted:
        raise AssertionError(f'got:    {actual!r}\nwanted: {wanted!r}')


def search(pattern, text):
    found = re.search(pattern, text, re.MULTILINE)
    if not found:
        raise AssertionError(f'no match for {pattern!r} in:\n{text}')
    return found


def check_command_line(runner, ranks):
    """What all examples have in common."""
    search(r'^Usage: ', runner.run(ranks, '--help').stdout)
    wrong = runner.run(ranks, '--no-such-option', code=2)
    expect(wrong.stdout, '')
    expect(wrong.stderr.count('--no-such-option'), 1)


# --- hello, ring, gups, queens ------------------------------------------------


def hello_greets(runner, ranks):
    lines = runner.run(ranks).stdout.splitlines()
    expect(sorted(lines), sorted(
        f'Hello from node {rank} of {ranks}, '
        f'greeted by node {(rank - 1) % ranks}.' for rank in range(ranks)))


def ring_token(runner, ranks):
    laps = 50
    digest = 0
    for _ in range(laps):
        for rank in range(ranks):
            digest = ((digest ^ rank) * 16777619 + 1) % 2**32
    # The token has been around before the clock starts, but begins anew.
    output = runner.run(ranks, '--laps', str(laps)).stdout
    search(rf'^{ranks} ranks, {laps} laps, {laps * ranks} hops in', output)
    search(rf'^token ok \(digest {digest:08x}\)$', output)


def gups_both(runner, ranks):
    output = runner.run(ranks, '--log2-words=16', '--updates', '60000').stdout
    search(r'^am .* 0 wrong words \(0\.0000%\): ok$', output)
    search(r'^getput .*: ok$', output)


def gups_rejects_method(runner, ranks):
    wrong = runner.run(ranks, '--method', 'luck', code=2)
    search(r"--method 'luck': accepts am, getput or both", wrong.stderr)


def queens_counts(runner, ranks):
    for size, solutions in ((1, 1), (3, 0), (6, 4), (8, 92), (10, 724)):
        output = runner.run(ranks, f'--board={size}').stdout
        search(rf'^{size} queens: {solutions} solutions, {ranks} ranks', output)
        search(r'^count ok$', output)
        shares = re.findall(r'rank \d+:.* (\d+) solutions$', output, re.M)
        expect(len(shares), ranks)
        expect(sum(map(int, shares)), solutions)


def partial_solutions(size, columns=()):
    """How many ways there are to fill any number of rows from the top."""
    row = len(columns)
    return 1 + sum(
        partial_solutions(size, columns + (column,)) for column in range(size)
        if row < size and all(
            column != c and abs(column - c) != row - r
            for r, c in enumerate(columns)))


def queens_split_finely(runner, ranks):
    """Many tiny tasks: stealing and ending under stress."""
    output = runner.run(ranks, '--board', '9', '--split-rows', '9').stdout
    search(r'^9 queens: 352 solutions', output)
    tasks = sum(map(int, re.findall(r'rank \d+: (\d+) tasks', output)))
    expect(tasks, partial_solutions(9))


def queens_rejects_board(runner, ranks):
    wrong = runner.run(ranks, '--board', '99', code=2)
    search(r"--board '99': accepts a whole number from 1 to 18", wrong.stderr)


# --- heat ---------------------------------------------------------------------


def decode_png(name):
    """Returns width, height, and the rows of palette indices."""
    with open(name, 'rb') as file:
        data = file.read()
    expect(data[:8], b'\x89PNG\r\n\x1a\n')
    chunks = {}
    at = 8
    while at < len(data):
        length, kind = struct.unpack_from('>I4s', data, at)
        body = data[at + 8:at + 8 + length]
        crc, = struct.unpack_from('>I', data, at + 8 + length)
        expect(crc, zlib.crc32(kind + body))
        chunks[kind] = body
        at += 12 + length
    expect(list(chunks), [b'IHDR', b'PLTE', b'IDAT', b'IEND'])
    width, height, *rest = struct.unpack('>IIBBBBB', chunks[b'IHDR'])
    expect(rest, [8, 3, 0, 0, 0])
    expect(len(chunks[b'PLTE']), 3 * 256)
    raw = zlib.decompress(chunks[b'IDAT'])
    expect(len(raw), height * (width + 1))
    rows = [raw[y * (width + 1):(y + 1) * (width + 1)] for y in range(height)]
    expect({row[0] for row in rows}, {0})
    return width, height, [row[1:] for row in rows]


def diffuse(rows, steps):
    """The same physics, from a picture of the start: walls are 0, hot is 255."""
    height, width = len(rows), len(rows[0])
    open_cells = {(x, y) for y in range(height) for x in range(width)
                  if rows[y][x] != 0}
    now = {(x, y): float(rows[y][x] == 255) for x, y in open_cells}
    for _ in range(steps):
        now = {(x, y): here + 0.2 * math.fsum(
            now[cell] - here
            for cell in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
            if cell in open_cells) for (x, y), here in now.items()}
    return now


def heat_picture(runner, ranks):
    size = ('--width', '48', '--height', '32')
    name = runner.path('heat.png')
    # A start can be read off a picture after one step: by then nothing has
    # flowed further than one cell, and half tells hot from cold.
    runner.run(ranks, *size, '--steps', '1', '--output', name)
    _, _, first = decode_png(name)
    start = [bytes(0 if p == 0 else 255 if p > 128 else 1 for p in row)
             for row in first]
    output = runner.run(ranks, *size, '--steps', '60').stdout
    search(r'checks ok$', output)
    search(r'^wrote heat\.png$', output)
    width, height, rows = decode_png(name)
    expect((width, height), (48, 32))
    wanted = diffuse(start, 60)
    for (x, y), warmth in wanted.items():
        if abs(rows[y][x] - (1 + warmth * 254)) > 1.001:
            raise AssertionError(f'cell {x},{y}: {rows[y][x]}, not {warmth}')
    heat = [float(h) for h in re.findall(r'heat ([\d.]+)', output)]
    expect(len(heat), 11)
    expect(heat, [float(sum(p == 255 for row in start for p in row))] * 11)


def heat_one_row_each(runner, ranks):
    runner.run(ranks, '--height', str(max(ranks, 3)), '--width', '9',
               '--steps', '25')


def heat_rejects_output(runner, ranks):
    wrong = runner.run(ranks, '--output', 'no/such/place.png', code=1)
    search(r"cannot write 'no/such/place\.png'", wrong.stderr)


# --- wordcount ----------------------------------------------------------------

WORD = re.compile(rb'[A-Za-z0-9_\x80-\xff]+')


def count_words(texts):
    counts = collections.Counter()
    for text in texts:
        counts.update(word.lower()[:256] for word in WORD.findall(text))
    return counts


def write_inputs(runner, texts):
    names = []
    for index, text in enumerate(texts):
        names.append(f'input {index}.txt')
        with open(runner.path(names[-1]), 'wb') as file:
            file.write(text)
    return names


def expect_counts(output, counts):
    found = re.findall(r'^ *(\d+)  (\S.*)$', output, re.MULTILINE)
    listed = [(word.encode('utf-8', 'surrogateescape'), int(count))
              for count, word in found]
    expect(listed, sorted(counts.items(), key=lambda e: (-e[1], e[0])))
    search(r'^count ok$', output)


def wordcount_borders(runner, ranks):
    """Tiny files, so that borders fall at every place of a word."""
    for seed in range(12):
        source = random.Random(seed)
        alphabet = [b'a', b'B', b'_', b'7', b' ', b'\n', 'é'.encode(), b'-']
        texts = [b''.join(source.choices(alphabet, k=source.randrange(40)))
                 for _ in range(3)]
        names = write_inputs(runner, texts)
        output = runner.run(ranks, '--top', '1000', *names).stdout
        expect_counts(output, count_words(texts))


def wordcount_large(runner, ranks):
    """More than one block of reading, many batches, and words of any length."""
    source = random.Random(4)
    words = [bytes(source.choices(range(97, 123), k=source.randrange(1, 12)))
             for _ in range(5000)] + [b'x' * 300, b'Y' * 70_000]
    texts = [b' '.join(source.choices(words, k=60_000)) for _ in range(2)]
    texts.append(b'z' * 600_000)
    names = write_inputs(runner, texts)
    output = runner.run(ranks, '--top', '100000', *names).stdout
    expect_counts(output, count_words(texts))


def wordcount_block_border(runner, ranks):
    """On 4 ranks, shares end where blocks of reading do, amid a word."""
    text = (b'tenletters%d ' % 4 * 90_000)[:4 * 256 * 1024]
    names = write_inputs(runner, [text])
    expect_counts(runner.run(ranks, *names).stdout, count_words([text]))


def wordcount_finds(runner, ranks):
    names = write_inputs(runner, ['Über Gras, über GRAS und Gräser.'.encode()])
    output = runner.run(ranks, '--top=0', '--find', 'grAS', '--find', 'nie',
                        '--find', 'Gräser', '--no-verify', *names).stdout
    expect(re.findall(r'^ *(\d+)  (\S+)$', output, re.MULTILINE),
           [('2', 'gras'), ('0', 'nie'), ('1', 'gräser')])
    expect('serial' in output, False)


def wordcount_empty(runner, ranks):
    names = write_inputs(runner, [b'', b'... ---\n'])
    output = runner.run(ranks, *names).stdout
    search(r'^0 words, 0 different ones', output)
    search(r'^count ok$', output)


def wordcount_full_table(runner, ranks):
    source = random.Random(5)
    texts = [b' '.join(b'%x' % source.getrandbits(64) for _ in range(200_000))]
    names = write_inputs(runner, texts)
    full = runner.run(ranks, '--table-mib', '1', *names, code=1)
    search(r'the table is full', full.stderr)
    expect(full.stderr.count('wordcount: '), 1)
    runner.run(ranks, '--top=1', *names)  # fits if it may choose


def wordcount_bad_files(runner, ranks):
    good = write_inputs(runner, [b'word'])
    missing = runner.run(ranks, *good, 'no such file', code=1)
    expect(missing.stderr, "wordcount: cannot read 'no such file': "
           'No such file or directory\n')
    folder = runner.run(ranks, '.', code=1)
    search(r"^wordcount: '\.' is a directory", folder.stderr)
    search(r'name at least one file', runner.run(ranks, code=2).stderr)


CASES = {
    'hello': [hello_greets],
    'ring': [ring_token],
    'gups': [gups_both, gups_rejects_method],
    'queens': [queens_counts, queens_split_finely, queens_rejects_board],
    'heat': [heat_picture, heat_one_row_each, heat_rejects_output],
    'wordcount': [wordcount_borders, wordcount_large, wordcount_block_border,
                  wordcount_finds, wordcount_empty, wordcount_full_table,
                  wordcount_bad_files],
}


def run_case(case, launcher, program, ranks):
    """Returns what went wrong, or nothing."""
    with tempfile.TemporaryDirectory() as directory:
        try:
            case(Runner(launcher, program, directory), ranks)
        except Exception:  # pylint: disable=broad-except
            return traceback.format_exc()
    return ''


def main():
    example, launcher, program, counts, *named = sys.argv[1:]
    cases = [case for case in CASES[example] + [check_command_line]
             if not named or case.__name__ in named]
    if named and len(cases) != len(named):
        sys.exit(f'{example} has not all of {named}')
    suite = ET.Element('testsuite', name=example)
    failures = 0
    for case in cases:
        for ranks in map(int, counts.split(',')):
            start = time.monotonic()
            problem = run_case(case, launcher, program, ranks)
            element = ET.SubElement(
                suite, 'testcase', name=f'{case.__name__}/{ranks}',
                classname=example, time=f'{time.monotonic() - start:.3f}')
            print('FAILED' if problem else 'passed', case.__name__, ranks)
            if problem:
                failures += 1
                print(problem)
                # What no XML may hold, such as control characters, is escaped.
                text = problem.encode('unicode_escape').decode()
                ET.SubElement(element, 'failure').text = text
    suite.set('tests', str(len(suite)))
    suite.set('failures', str(failures))
    if 'XML_OUTPUT_FILE' in os.environ:
        ET.ElementTree(suite).write(os.environ['XML_OUTPUT_FILE'])
    return 1 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
