"""A test case that runs gasnet_trace."""

import json
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ["GASNET_TRACE"])


class TraceTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = directory.name

    def run_with(self, *arguments, files):
        """Runs the program on files with these bytes, by rank."""
        names = []
        for rank, content in files.items():
            name = f"trace.{rank}"
            with open(os.path.join(self.directory, name), "wb") as file:
                file.write(content)
            names.append(name)
        return self.run_program(*arguments, *names)

    def run_program(self, *arguments, **options):
        return subprocess.run([PROGRAM, *arguments], cwd=self.directory, check=False,
                              capture_output=True, timeout=50, **options)

    def expect(self, *arguments, files):
        """Returns the output of a run that succeeds."""
        done = self.run_with(*arguments, files=files)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode()

    def chrome(self, files):
        return json.loads(self.expect("--chrome", files=files))

    def events(self, phase, files):
        """Returns the events of this type for viewers."""
        return [found for found in self.chrome(files)["traceEvents"]
                if found["ph"] == phase]
