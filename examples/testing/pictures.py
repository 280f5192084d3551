"""The examples that write pictures, compared with the same computation here."""

import math
import re
import struct
import zlib

from runner import expect, search


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
    """Computes the same steps from a picture of the start: walls are 0, hot is 255."""
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
    # The picture after one step shows the start: no heat has flowed further than one
    # cell, and one half separates hot from cold.
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


def coral_start(x, y):
    """Returns food and coral of a cell. Crumbs are 6 by 6 cells."""
    mixed = (x // 6 * 2654435761 + y // 6 * 2246822519) % 2**64
    mixed ^= mixed >> 15
    return (0.5, 0.25) if mixed % 23 == 0 else (1.0, 0.0)


def grow(width, height, steps):
    """Returns the coral of all cells, in rows."""
    def spread(of, x, y):
        left, right = of[y][x - 1], of[y][(x + 1) % width]
        above, below = of[y - 1][x], of[(y + 1) % height][x]
        return left + right + above + below - 4 * of[y][x]

    food = [[coral_start(x, y)[0] for x in range(width)] for y in range(height)]
    coral = [[coral_start(x, y)[1] for x in range(width)]
             for y in range(height)]
    for _ in range(steps):
        eaten = [[f * c * c for f, c in zip(*rows)] for rows in zip(food, coral)]
        food, coral = [[
            food[y][x] + 0.16 * spread(food, x, y) - eaten[y][x]
            + 0.055 * (1 - food[y][x]) for x in range(width)
        ] for y in range(height)], [[
            coral[y][x] + 0.08 * spread(coral, x, y) + eaten[y][x]
            - (0.055 + 0.062) * coral[y][x] for x in range(width)
        ] for y in range(height)]
    return coral


def coral_picture(runner, ranks):
    """Checks pictures. Allows small errors, since a machine may round a product and its
    sum at once."""
    for width, height, steps in ((31, 20, 90), (20, 31, 1), (7, 5, 40)):
        output = runner.run(ranks, f'--width={width}', f'--height={height}',
                            f'--steps={steps}').stdout
        search(r'^picture ok$', output)
        found = decode_png(runner.path('coral.png'))
        expect(found[:2], (width, height))
        for pixels, row in zip(found[2], grow(width, height, steps)):
            for pixel, coral in zip(pixels, row):
                if abs(pixel - min(max(coral / 0.4, 0), 1) * 255) > 1.001:
                    raise AssertionError(f'{pixels} is not {row}')


def coral_one_cell_each(runner, ranks):
    """Checks ranks of one cell each, which are their own or each other's neighbours."""
    output = runner.run(ranks, '--width', str(max(ranks, 3)), '--height=3',
                        '--steps=20').stdout
    search(r'^picture ok$', output)


def coral_rejects_dish(runner, ranks):
    """Checks a dish with too few columns: 8, 10 and 11 ranks are in 4, 5 and 11."""
    wrong = runner.run(ranks + 7, '--width=3', '--height=3', code=2)
    search(r'a dish of 3 x 3 cells: ', wrong.stderr)
    wrong = runner.run(ranks, '--output', 'no/such/place.png', code=1)
    search(r"cannot write 'no/such/place\.png'", wrong.stderr)


CASES = {
    'heat': [heat_picture, heat_one_row_each, heat_rejects_output],
    'coral': [coral_picture, coral_one_cell_each, coral_rejects_dish],
}
