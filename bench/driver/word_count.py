"""examples/wordcount with more ranks than processors; all ranks send to all."""

import random
import tempfile

from timing import nanoseconds, sample

WORDS = 400_000
VOCABULARY = 20_000


def write_text(out):
    """Writes the same words in every run."""
    numbers = random.Random(1)
    vocabulary = [f"w{numbers.randrange(1 << 30):x}" for _ in range(VOCABULARY)]
    out.write(" ".join(numbers.choice(vocabulary) for _ in range(WORDS)))
    out.flush()


def word_count(launcher, few, many, cpus):
    """Compares many ranks with few, on the same text and processors."""
    operation = f"wordcount with {many} ranks"
    if launcher.only not in operation:
        return []
    samples = []
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as out:
        write_text(out)
        program = [launcher.path("examples/wordcount"), out.name]
        for _ in range(launcher.effort.repetitions):
            limit, ours = (
                nanoseconds([launcher.gasnetrun, "-n", str(count), *program],
                            cpus)
                for count in (few, many)
            )
            samples.append(sample(operation, "ns", ours,
                                  f"the same with {few} ranks", limit))
    return samples
