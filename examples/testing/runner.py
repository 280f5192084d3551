"""Runs an example under the launcher, and compares its output."""

import os
import re
import subprocess

SECONDS_PER_RUN = 120


class Runner:
    """Starts the program in a directory of its own."""

    def __init__(self, launcher, program, directory):
        self.launcher = os.path.abspath(launcher)
        self.program = os.path.abspath(program)
        self.directory = directory

    def run(self, ranks, *arguments, code=0):
        """Returns the output of the program, which must end with `code`."""
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
    """Checks the options that all examples share."""
    search(r'^Usage: ', runner.run(ranks, '--help').stdout)
    wrong = runner.run(ranks, '--no-such-option', code=2)
    expect(wrong.stdout, '')
    expect(wrong.stderr.count('--no-such-option'), 1)
