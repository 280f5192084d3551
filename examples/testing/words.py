"""The example that counts words, compared with counts made here."""

import collections
import random
import re

from runner import expect, search

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
    """Tests tiny files, so that borders are at every position in a word."""
    for seed in range(12):
        source = random.Random(seed)
        alphabet = [b'a', b'B', b'_', b'7', b' ', b'\n', 'é'.encode(), b'-']
        texts = [b''.join(source.choices(alphabet, k=source.randrange(40)))
                 for _ in range(3)]
        names = write_inputs(runner, texts)
        output = runner.run(ranks, '--top', '1000', *names).stdout
        expect_counts(output, count_words(texts))


def wordcount_large(runner, ranks):
    """Tests more than one block of reading, many batches, and words of any length."""
    source = random.Random(4)
    words = [bytes(source.choices(range(97, 123), k=source.randrange(1, 12)))
             for _ in range(5000)] + [b'x' * 300, b'Y' * 70_000]
    texts = [b' '.join(source.choices(words, k=60_000)) for _ in range(2)]
    texts.append(b'z' * 600_000)
    names = write_inputs(runner, texts)
    output = runner.run(ranks, '--top', '100000', *names).stdout
    expect_counts(output, count_words(texts))


def wordcount_block_border(runner, ranks):
    """Tests, on 4 ranks, shares that end in a word at the end of a reading block."""
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
    runner.run(ranks, '--top=1', *names)  # fits if it may choose the size


def wordcount_bad_files(runner, ranks):
    good = write_inputs(runner, [b'word'])
    missing = runner.run(ranks, *good, 'no such file', code=1)
    expect(missing.stderr, "wordcount: cannot read 'no such file': "
           'No such file or directory\n')
    folder = runner.run(ranks, '.', code=1)
    search(r"^wordcount: '\.' is a directory", folder.stderr)
    search(r'name at least one file', runner.run(ranks, code=2).stderr)


CASES = {
    'wordcount': [wordcount_borders, wordcount_large, wordcount_block_border,
                  wordcount_finds, wordcount_empty, wordcount_full_table,
                  wordcount_bad_files],
}
