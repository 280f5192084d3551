"""Tests programs that use only Portals, under launchers that speak version 1 of PMI:
one that is part of this test, and mpiexec of MPICH if it is installed."""

import os
import shutil
import socket
import subprocess
import threading
import unittest

PROGRAM = os.path.abspath(os.environ["LAUNCHED"])
HYDRA = shutil.which("mpiexec.hydra")
PATIENCE = 60


class Launcher:
    """Starts ranks and answers their requests."""

    def __init__(self, ranks, arguments, variables):
        self.barrier = threading.Barrier(ranks)
        self.values = {}
        self.farewells = []
        self.ranks = [self.start(r, ranks, arguments, variables) for r in range(ranks)]

    def start(self, rank, ranks, arguments, variables):
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(
            [PROGRAM, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(theirs.fileno(),),
            env={
                **os.environ,
                "PMI_FD": str(theirs.fileno()),
                "PMI_RANK": str(rank),
                "PMI_SIZE": str(ranks),
                **variables,
            },
        )
        theirs.close()
        threading.Thread(target=self.serve, args=(rank, ours), daemon=True).start()
        return process

    def serve(self, rank, rank_socket):
        with rank_socket, rank_socket.makefile("rw") as lines:
            for line in lines:
                lines.write(self.answer(rank, line.strip()) + "\n")
                lines.flush()

    def answer(self, rank, line):
        words = dict(word.split("=", 1) for word in line.split(" "))
        if words["cmd"] == "init":
            return "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0"
        if words["cmd"] == "get_my_kvsname":
            return "cmd=my_kvsname kvsname=kvs"
        if words["cmd"] == "put":
            assert len(words["key"]) <= 64 and len(words["value"]) <= 1024, line
            self.values[words["key"]] = words["value"]
            return "cmd=put_result rc=0 msg=success"
        if words["cmd"] == "get":
            return f"cmd=get_result rc=0 value={self.values[words['key']]}"
        if words["cmd"] == "barrier_in":
            self.barrier.wait(PATIENCE)
            return "cmd=barrier_out"
        assert words["cmd"] == "finalize", line
        self.farewells.append(rank)
        return "cmd=finalize_ack"

    def finish(self):
        """Returns the ranks' codes, and all their output."""
        said = [process.communicate(timeout=PATIENCE) for process in self.ranks]
        codes = [process.returncode for process in self.ranks]
        return codes, *(b"".join(streams).decode() for streams in zip(*said))


def launch(ranks, *arguments, **variables):
    launcher = Launcher(ranks, arguments, variables)
    return launcher, *launcher.finish()


class LaunchedTest(unittest.TestCase):
    def check_ring(self, out, ranks, nid="0", atomics="1024"):
        for rank in range(ranks):
            token = rank if rank > 0 else ranks
            line = f"nid {nid} pid {rank} of {ranks}, token {token}, "
            self.assertRegex(out, f"{line}atomics of {atomics} bytes")

    def test_datagrams_are_asked_for(self):
        launcher, codes, out, err = launch(4, PORTALS4_TRANSPORT="datagram")
        self.assertEqual(codes, [0] * 4, err)
        self.check_ring(out, 4)
        self.assertEqual(sorted(launcher.farewells), [0, 1, 2, 3])

    def test_a_job_of_one(self):
        _, codes, out, err = launch(1, PORTALS4_TRANSPORT="datagram")
        self.assertEqual(codes, [0], err)
        self.check_ring(out, 1, atomics=r"\d{5,}")

    def test_a_job_in_memory_is_asked_for(self):
        _, codes, out, err = launch(3, PORTALS4_JOB="pmi")
        self.assertEqual(codes, [0] * 3, err)
        self.check_ring(out, 3, atomics=r"\d{5,}")

    def test_a_program_that_speaks_pmi_itself(self):
        launcher, codes, out, err = launch(3, "pmi", PORTALS4_TRANSPORT="datagram")
        self.assertEqual(codes, [0] * 3, err)
        self.check_ring(out, 3)
        self.assertEqual(sorted(launcher.farewells), [0, 1, 2])

    def test_a_wrong_value_is_told(self):
        _, codes, _, err = launch(1, PORTALS4_JOB="yes")
        self.assertNotEqual(codes, [0])
        self.assertIn("PORTALS4_JOB is 'yes'; accepted: pmi, none", err)

    def test_what_is_missing_is_told(self):
        for variables, word in (
            ({"PORTALS4_JOB": "pmi"}, "PMI_FD, PMI_RANK and PMI_SIZE"),
            ({"PORTALS4_TRANSPORT": "datagram"}, "PMI_FD, PMI_RANK and PMI_SIZE"),
        ):
            run = subprocess.run(
                [PROGRAM],
                env={**os.environ, **variables},
                stderr=subprocess.PIPE,
                check=False,
            )
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(word, run.stderr.decode())

    @unittest.skipUnless(HYDRA, "mpiexec.hydra is not installed (Debian: mpich)")
    def test_under_hydra(self):
        for arguments in ((), ("pmi",)):
            run = subprocess.run(
                [HYDRA, "-n", "4", PROGRAM, *arguments],
                env={**os.environ, "PORTALS4_TRANSPORT": "datagram"},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=PATIENCE,
                check=False,
            )
            self.assertEqual(run.returncode, 0, run.stderr)
            self.check_ring(run.stdout.decode(), 4)


if __name__ == "__main__":
    if not HYDRA:
        print("SKIP: the part with mpiexec.hydra, which is not installed")
    unittest.main()
