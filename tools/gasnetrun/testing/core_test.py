"""Tests core dumps: the parts of segments in them, and the end of the job.

A rank that dumps core has a directory of its own, since nodes of a job may dump at
once.
"""

import os
import resource
import tempfile
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
DUMPER = launched.program("CORE_DUMPER")


def why_no_core():
    """Returns the reason why this system writes no core into the program's directory,
    or nothing."""
    with open("/proc/sys/kernel/core_pattern", encoding="utf-8") as file:
        pattern = file.read().strip()
    if pattern.startswith(("|", "/", "@")):
        return f"cores go elsewhere: /proc/sys/kernel/core_pattern is '{pattern}'"
    if resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY:
        return "this process may not raise its limit on cores (ulimit -Hc)"
    return ""


def with_cores():
    resource.setrlimit(resource.RLIMIT_CORE, [resource.RLIM_INFINITY] * 2)


class Core:
    """The one core in a folder."""

    def __init__(self, folder):
        names = os.listdir(folder)
        assert len(names) == 1 and names[0].startswith("core"), names
        self._path = os.path.join(folder, names[0])

    def size(self):
        """Returns the number of bytes that it has on disk."""
        return os.stat(self._path).st_blocks * 512

    def count(self, text):
        with open(self._path, "rb") as file:
            return file.read().count(text)


class CoreTest(unittest.TestCase):
    def setUp(self):
        reason = why_no_core()
        if reason:
            self.skipTest(reason)
        self._folder = tempfile.TemporaryDirectory(dir=os.environ["TEST_TMPDIR"])
        self.addCleanup(self._folder.cleanup)

    def dump(self, how, env=None):
        job = launched.run(
            [GASNETRUN, "-n", "2", DUMPER, how],
            env=env,
            cwd=self._folder.name,
            preexec_fn=with_cores,
        )
        return job, Core(self._folder.name)

    def check_segments(self, core):
        self.assertLess(core.size(), 60 << 20)
        self.assertGreater(core.count(b"used by 1! "), 80000)
        self.assertEqual(core.count(b"used by 0! "), 0)

    def test_abort_dumps_what_is_in_use_of_the_own_segment(self):
        job, core = self.dump("abort")
        self.assertEqual(job.code, 134)
        self.check_segments(core)

    def test_so_does_a_fault(self):
        job, core = self.dump("fault")
        self.assertEqual(job.code, 139)
        self.check_segments(core)

    def test_so_does_a_misuse(self):
        job, core = self.dump("misuse")
        self.assertEqual(job.code, 134)
        self.check_segments(core)

    def test_the_segment_can_be_left_out(self):
        _, core = self.dump("abort", env={"GASNET_CORE_SEGMENT": "0"})
        # The stack may have a copy made by the compiler.
        self.assertLess(core.count(b"used by 1! "), 10)

    def test_a_long_dump_is_reported_as_the_crash_that_it_is(self):
        job, core = self.dump("large")
        self.assertGreater(core.size(), 300 << 20)
        self.assertIn(b"was killed by SIGABRT (Aborted, core dumped)", job.err)
        self.assertNotIn(b"goes on", job.err)
        self.assertEqual(job.code, 134)


if __name__ == "__main__":
    launched.main()
