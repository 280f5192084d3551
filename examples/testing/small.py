"""The examples that write no files."""

import re

from runner import expect, search


def hello_greets(runner, ranks):
    lines = runner.run(ranks).stdout.splitlines()
    expect(sorted(lines), sorted(
        f'Hello from node {rank} of {ranks}, '
        f'greeted by node {(rank - 1) % ranks}.' for rank in range(ranks)))


def hello_ex_greets(runner, ranks):
    lines = runner.run(ranks).stdout.splitlines()
    left = [(rank - 1) % ranks for rank in range(ranks)]
    expect(sorted(lines), sorted(
        f'Hello from rank {rank} of {ranks}, greeted by rank {left[rank]}, '
        f'which put {100 + left[rank]}.' for rank in range(ranks)))


def queue_finds_longest(runner, ranks):
    output = runner.run(ranks, '--numbers', '3000').stdout
    search('up to 3000 begins at 2919, with 216 steps', output)
    shares = re.findall(r'^Rank \d+ has computed (\d+) numbers\.$', output, re.M)
    expect(len(shares), ranks)
    expect(sum(map(int, shares)), 3000)


def queue_rejects_numbers(runner, ranks):
    wrong = runner.run(ranks, '--numbers', '0', code=2)
    search(r'it takes --numbers N, with N from 1 to', wrong.stderr)


def ring_token(runner, ranks):
    laps = 50
    digest = 0
    for _ in range(laps):
        for rank in range(ranks):
            digest = ((digest ^ rank) * 16777619 + 1) % 2**32
    # The token goes around once before the clock starts, and then begins anew.
    output = runner.run(ranks, '--laps', str(laps)).stdout
    search(rf'^{ranks} ranks, {laps} laps, {laps * ranks} hops in', output)
    search(rf'^token ok \(digest {digest:08x}\)$', output)


def heated_plate(width, height):
    """Returns the temperatures of the plate, relaxed until nothing changes."""
    heat = {(width // 4, height // 4), (width * 3 // 4, height // 4),
            (width * 2 // 4, height * 3 // 4)}
    now = {(x, y): 0.0 for x in range(width) for y in range(height)}
    for _ in range(400):
        for x, y in now:
            around = sum(now.get(cell, 0.0) for cell in (
                (x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)))
            now[x, y] = (((x, y) in heat) + around) / 4
    return now


def cg_solves(runner, ranks):
    size = ('--width', '13', '--height', '9', '--digits', '12')
    output = runner.run(ranks, *size).stdout
    middle = float(search(
        r'^middle of the plate: ([\d.]+)$', output).group(1))
    expect(round(middle - heated_plate(13, 9)[6, 4], 7), 0)
    search(r'^largest error of an equation .*: ok$', output)


def cg_draws(runner, ranks):
    lines = runner.run(ranks).stdout.splitlines()
    plate = [line for line in lines if len(line) == 72]
    expect(len(plate), 24)
    # The plate is hot where it is heated, and cold at the edge.
    for line, column in ((6, 18), (6, 54), (18, 36)):
        expect(plate[line][column] in '*#%@', True)
    expect(set(plate[0]) | set(plate[23]) <= set(' .:'), True)


def cg_rejects_flat_plate(runner, ranks):
    wrong = runner.run(ranks, '--height', '2', code=2)
    search(r"--height '2': accepts a whole number from 3", wrong.stderr)


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
    """Returns the number of ways to fill any number of rows from the top."""
    row = len(columns)
    return 1 + sum(
        partial_solutions(size, columns + (column,)) for column in range(size)
        if row < size and all(
            column != c and abs(column - c) != row - r
            for r, c in enumerate(columns)))


def queens_split_finely(runner, ranks):
    """Tests stealing and termination with many tiny tasks."""
    output = runner.run(ranks, '--board', '9', '--split-rows', '9').stdout
    search(r'^9 queens: 352 solutions', output)
    tasks = sum(map(int, re.findall(r'rank \d+: (\d+) tasks', output)))
    expect(tasks, partial_solutions(9))


def queens_rejects_board(runner, ranks):
    wrong = runner.run(ranks, '--board', '99', code=2)
    search(r"--board '99': accepts a whole number from 1 to 18", wrong.stderr)


CASES = {
    'hello': [hello_greets],
    'hello_ex': [hello_ex_greets],
    'queue': [queue_finds_longest, queue_rejects_numbers],
    'ring': [ring_token],
    'cg': [cg_solves, cg_draws, cg_rejects_flat_plate],
    'gups': [gups_both, gups_rejects_method],
    'queens': [queens_counts, queens_split_finely, queens_rejects_board],
}
