"""Runs jobs under test: starts them, watches their output, and checks that none of
their processes and files are left.

A job is known by a mark in its environment, which all its processes have, and by a pipe
that they all inherit. The pipe ends when the last of them has ended.
"""

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
import unittest
import uuid
import xml.etree.ElementTree as ElementTree

import process_report

# Seconds after which an expected event counts as missing; no test waits for that time
# to pass.
PATIENCE = 120

# Directories in which an unnamed shared object would appear if it had a name.
SHARED_DIRECTORIES = ("/dev/shm", "/tmp")

# Sanitizers would turn a crash into one of their exit codes.
DIE_BY_THE_SIGNAL = ":".join(
    f"handle_{kind}=0" for kind in ("segv", "sigbus", "abort", "sigill", "sigfpe")
)


def program(name):
    return os.path.abspath(os.environ[name])


def _marked(mark):
    """Returns the process ids whose environment has the mark."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        with contextlib.suppress(OSError):
            with open(f"/proc/{entry}/environ", "rb") as environ:
                if mark in environ.read():
                    found.append(int(entry))
    return found


def _read(pid, what):
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/{what}", "rb") as file:
            return file.read()
    return b""


def _parent(pid):
    """Returns the id of the process's parent; 0 if the process has ended."""
    fields = _read(pid, "stat").rpartition(b") ")[2].split()
    return int(fields[1]) if fields else 0


def await_states(pids, states):
    """Waits until all these processes are in one of these states of /proc. Returns
    False if one is late."""
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up:
        found = [_read(pid, "stat").rpartition(b") ")[2][:1] for pid in pids]
        if pids and all(state in states.encode() for state in found if state):
            return True
        os.sched_yield()
    return False


# The numbers of epoll_wait and epoll_pwait; their fourth argument is the limit.
EPOLL_CALLS = {"x86_64": (232, 281), "aarch64": (22,)}


def sleeps_without_limit(pid):
    """Waits until this process waits for descriptors only, with no timer running.
    Returns False if it ends instead."""
    calls = EPOLL_CALLS[os.uname().machine]
    give_up = time.monotonic() + PATIENCE
    while time.monotonic() < give_up and _read(pid, "cmdline"):
        call = _read(pid, "syscall").split()
        if len(call) > 4 and int(call[0]) in calls:
            if int(call[4], 16) & 0xFFFFFFFF == 0xFFFFFFFF:
                return True
        os.sched_yield()
    return False


def _command_line(pid):
    with contextlib.suppress(OSError):
        with open(f"/proc/{pid}/cmdline", "rb") as cmdline:
            return cmdline.read().replace(b"\0", b" ").decode(errors="replace")
    return "(gone)"


def _gasnet_files():
    return {
        os.path.join(directory, name)
        for directory in SHARED_DIRECTORIES
        for name in os.listdir(directory)
        if name.startswith("gasnet-")
    }


class Job:
    """A run of a command, as a context. At its end all processes must be gone."""

    def __init__(self, command, env=None, stdin=subprocess.DEVNULL, **options):
        self.mark = f"GASNET_TEST_MARK={uuid.uuid4()}".encode()
        self.out = b""
        self.err = b""
        self._files_before = _gasnet_files()
        self._directory = tempfile.TemporaryDirectory()
        self._alive, everybody = os.pipe()
        self.process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self._environment(env or {}),
            pass_fds=(everybody,),
            **options,
        )
        os.close(everybody)

    def _environment(self, changes):
        name, value = os.fsdecode(self.mark).split("=")
        environment = {
            **os.environ,
            "GASNET_EXITTIMEOUT": "0.3",
            "TMPDIR": self._directory.name,
            name: value,
        }
        for sanitizer in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
            options = (os.environ.get(sanitizer), DIE_BY_THE_SIGNAL)
            environment[sanitizer] = ":".join(filter(None, options))
        return {**environment, **changes}

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.finish()
                self._check_nothing_left()
        finally:
            self._clean_up()

    def pids(self):
        return _marked(self.mark)

    def find(self, program, *arguments, variable=b""):
        """Returns the job's processes whose program's name begins with `program`, and
        which have these arguments, and `variable` in their environment. Leaves out
        guardians."""
        found = []
        for pid in self.pids():
            words = _read(pid, "cmdline").split(b"\0")
            names = [os.path.basename(word) for word in words[:2]]
            if (
                any(name.startswith(program) for name in names)
                and all(argument in words for argument in arguments)
                and variable in _read(pid, "environ")
                and _read(pid, "comm") != b"gasnet-guardian\n"
            ):
                found.append(pid)
        return found

    def find_one(self, *program, variable=b""):
        """Returns the only process that `find` finds, except its own forks that have
        not called exec yet."""
        found = self.find(*program, variable=variable)
        (one,) = [pid for pid in found if _parent(pid) not in found]
        return one

    def read_until(self, text, stream="out"):
        """Reads the job's output, up to and including `text`."""
        while text not in getattr(self, stream):
            self.read_more(stream, f"{text!r}")

    def read_more(self, stream="out", wanted="more"):
        """Waits for more of the job's output, and reads some."""
        pipe = getattr(self.process, "std" + stream)
        ready, _, _ = select.select([pipe], [], [], PATIENCE)
        chunk = os.read(pipe.fileno(), 1 << 16) if ready else b""
        if not chunk:
            raise AssertionError(
                f"{wanted} has not come; got {self.out!r} {self.err!r}"
            )
        setattr(self, stream, getattr(self, stream) + chunk)

    def await_ready(self, ranks):
        """Waits until this many ranks have printed the line "ready"."""
        for _ in range(ranks):
            self.read_until(b"ready\n")
            self.out = self.out.replace(b"ready\n", b"", 1)

    def finish(self):
        """Waits for the launcher. Returns its exit code, negative for a signal."""
        if not self.process.stdout.closed:
            try:
                out, err = self.process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired as late:
                raise self._still_there(late) from None
            self.out += out
            self.err += err
        return self.process.wait(PATIENCE)

    def _still_there(self, late):
        said = (self.out, late.stdout, self.err, late.stderr)
        processes = [self.process.pid, *self.pids()]
        return AssertionError(
            f"has not ended in {PATIENCE} s; said {said}\n"
            + "\n".join(process_report.describe(processes))
        )

    def kill(self, number):
        self.process.send_signal(number)

    def _check_nothing_left(self):
        ready, _, _ = select.select([self._alive], [], [], PATIENCE)
        if not ready or os.read(self._alive, 1):
            raise AssertionError(
                "left: " + ", ".join(_command_line(pid) for pid in self.pids())
            )
        # The guardian keeps no descriptor open, not even the pipe.
        give_up = time.monotonic() + PATIENCE
        while self.pids():
            if time.monotonic() > give_up:
                left = [_command_line(pid) for pid in self.pids()]
                raise AssertionError(f"left: {left}")
            os.sched_yield()
        # The thread sanitizer keeps a descriptor briefly while a process starts.
        left = [
            name
            for name in os.listdir(self._directory.name)
            if not name.startswith("tsan.")
        ]
        left += sorted(_gasnet_files() - self._files_before)
        if left:
            raise AssertionError(f"files left: {left}")

    def _clean_up(self):
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()
        os.close(self._alive)
        self._directory.cleanup()


def by_rank(tagged):
    """Returns the output of each rank, from output with --tag-output."""
    said = {}
    for line in tagged.splitlines(keepends=True):
        tag, _, text = line.partition(b"] ")
        rank = int(tag[1:])
        said[rank] = said.get(rank, b"") + text
    return said


def run(command, **options):
    """Runs a job to its end. Returns it, with its exit code in `code`."""
    with Job(command, **options) as job:
        job.code = job.finish()
    return job


class _Result(unittest.TextTestResult):
    """A result that also writes the report for Bazel."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.suite = ElementTree.Element("testsuite", name="launcher")

    def _case(self, test):
        name = test.id().replace("__main__.", "")
        return ElementTree.SubElement(self.suite, "testcase", name=name)

    def addSuccess(self, test):
        super().addSuccess(test)
        self._case(test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        ElementTree.SubElement(self._case(test), "failure", message=str(err[1]))

    def addError(self, test, err):
        super().addError(test, err)
        ElementTree.SubElement(self._case(test), "error", message=str(err[1]))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        ElementTree.SubElement(self._case(test), "skipped", message=reason)


def _have_the_signals_of_a_terminal():
    """Restores the signals of a terminal, since a Bazel server that a background job
    has started passes ignored signals on to jobs."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def main():
    _have_the_signals_of_a_terminal()
    runner = unittest.TextTestRunner(verbosity=2, resultclass=_Result)
    result = unittest.main(testRunner=runner, exit=False).result
    report = os.environ.get("XML_OUTPUT_FILE")
    if report:
        ElementTree.ElementTree(result.suite).write(report)
    raise SystemExit(not result.wasSuccessful())
