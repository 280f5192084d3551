"""Tests gasnetrun's command line: valid options, and the messages on others."""

import os
import subprocess
import tempfile
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
PROBE = launched.program("PROBE")


def launch(*arguments, **options):
    return launched.run([GASNETRUN, *arguments], **options)


def probe(*actions, ranks=2, options=(), **rest):
    return launch("-n", str(ranks), *options, PROBE, *actions, **rest)


class CommandLineTest(unittest.TestCase):
    def fails(self, code, message, *arguments, **options):
        job = launch(*arguments, **options)
        self.assertEqual((job.code, job.out), (code, b""), job.err)
        self.assertIn(message, job.err)

    def test_wrong_use_says_what_is_accepted(self):
        self.fails(125, b"the number of ranks (-n N) is missing", "true")
        self.fails(125, b"the program is missing", "-n", "2")
        self.fails(125, b"-n needs a value", "-n")
        for bad in ("0", "-1", "two", "65536", "", "1.5", "99999999999999999999"):
            accepted = f"-n is '{bad}'; accepted: a number of ranks from 1 to 65535"
            self.fails(125, accepted.encode(), "-n", bad, "true")
        self.fails(125, b"unknown option '--frob'", "-n", "2", "--frob", "true")
        self.fails(125, b"--bind is 'x'; accepted: none, cpu", "--bind=x", "true")
        self.fails(125, b"--timeout is '0'", "-n", "1", "--timeout", "0", "true")
        self.fails(125, b"seconds above 0, up to 1e9", "--timeout=2e9", "true")
        file = b"--stats is ''; accepted: the name of a file"
        self.fails(125, file, "-n", "1", "--stats=", "true")
        self.fails(125, b"--verbose takes no value", "--verbose=1", "true")
        self.fails(125, b"-E is '=x'", "-n", "1", "-E", "=x", "true")
        self.fails(125, b"-E is ','; accepted: NAME", "-n", "1", "-E", ",", "true")
        unset = b"GASNET_TEST_UNSET is not set here"
        self.fails(125, unset, "-n", "1", "-E", "GASNET_TEST_UNSET", "true")
        names = "PATH,GASNET_TEST_UNSET"
        self.fails(125, unset, "-n", "1", "-E", names, "true")

    def test_program_that_cannot_be_run(self):
        self.fails(127, b"'no-such' not found in PATH", "-n", "1", "no-such")
        self.fails(127, b"'./no-such' not found", "-n", "1", "./no-such")
        self.fails(126, b"not an executable file", "-n", "1", "/etc/passwd")
        self.fails(126, b"Is a directory", "-n", "1", "/tmp")
        with tempfile.TemporaryDirectory() as directory:
            script = os.path.join(directory, "script")
            with open(script, "w", encoding="utf-8") as file:
                file.write("#!/no/such/shell\n")
            os.chmod(script, 0o755)
            self.fails(126, b"the interpreter that it names", "-n", "1", script)

    def test_own_failures_look_like_no_failure_of_the_program(self):
        env = {"GASNET_HOST_MEMORY": "tmp", "TMPDIR": "/no/such/directory"}
        self.fails(125, b"GASNET_HOST_MEMORY=tmp", "-n", "1", "true", env=env)
        manager = ("--spawner=pmix", "-H", "other", "-n", "1", "true")
        neither = b"neither 'prterun' nor 'mpirun' is in PATH"
        self.fails(125, neither, *manager, env={"PATH": "/nowhere"})

    def test_a_list_of_hosts_without_an_end(self):
        for file in ("/dev/zero", "/dev/stdin"):
            with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as endless:
                job = launch(
                    "-n", "1", "--hostfile", file, "true", stdin=endless.stdout
                )
                endless.stdout.close()
            message = f"--hostfile: '{file}' is longer than 64 MiB"
            self.assertEqual((job.code, job.out), (125, b""), job.err)
            self.assertIn(message.encode(), job.err)

    @unittest.skipIf(
        os.environ.get("SANITIZER") == "thread",
        "the thread sanitizer itself writes a file, and is ended for it",
    )
    def test_a_limit_on_files_is_told(self):
        program = [PROBE, "share-memory"]
        for command in ([GASNETRUN, "-n", "1", *program], program):
            shell = ["sh", "-c", 'ulimit -f 0; exec "$@"', "-", *command]
            job = launched.run(shell, env={"GASNET_PSHM_NODES": "1"})
            self.assertIn(job.code, (125, 77), job.err)
            self.assertIn(b"files may have 0 bytes here (ulimit -f)", job.err)

    def test_options_end_at_the_program(self):
        job = launch("-n1", "--", "echo", "-n", "2", "--help")
        self.assertEqual(job.out, b"2 --help")
        self.assertIn(b"never called gasnet_init", job.err)

    def test_options_of_existing_scripts(self):
        options = ("-np", "2", "-E", "PATH,", "-E", "A=b,c", "--dry-run")
        lines = launch(*options, "true").out.decode().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[1], r"rank 1: A=b,c /.*/true$")

    def test_help_and_version(self):
        self.assertIn(b"--tag-output", launch("--help").out)
        self.assertIn(b"--stats[=FILE.svg]", launch("--help").out)
        self.assertIn(b"GASNet 1.8", launch("--version").out)

    def test_what_cannot_be_shown_is_told(self):
        for option in ("--help", "--version"):
            shell = ["sh", "-c", '"$@" >/dev/full', "-", GASNETRUN, option]
            job = launched.run(shell)
            self.assertEqual(job.code, 125)
            self.assertIn(b"cannot write standard output: No space left", job.err)

    def test_output_that_cannot_be_written_is_no_success(self):
        # An unfinished line is printed at the very end, when the job's code is known.
        for code in (0, 3):
            command = [GASNETRUN, "-n", "2", PROBE, "partial=lost"]
            shell = ["sh", "-c", 'exec "$@" >/dev/full', "-", *command]
            job = launched.run([*shell, f"exit={code}"])
            self.assertEqual(job.code, code or 125, job.err)
            self.assertIn(b"cannot write standard output: No space", job.err)

    def test_dry_run_shows_and_starts_nothing(self):
        job = launch("-n", "2", "-E", "A=b c", "--dry-run", "echo", "it's", "")
        self.assertEqual(job.code, 0)
        lines = job.out.decode().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertRegex(lines[1], r"rank 1: 'A=b c' /.*/echo 'it'\\''s' ''$")

    def test_verbose_prints_what_happens(self):
        job = probe("1:exit=3", "wait", options=["-v"])
        for line in (
            rb"rank 0 \(.*, pid \d+\) started\n",
            rb"rank 1 \(.*\) called gasnet_init\n",
            rb"rank 1 \(.*\) called gasnet_exit\(3\)\n",
            rb"gasnetrun: the job has ended with exit code 3\n",
        ):
            self.assertRegex(job.err, line)


if __name__ == "__main__":
    launched.main()
