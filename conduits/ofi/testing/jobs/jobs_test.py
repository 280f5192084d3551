"""Tests of jobs whose ranks only libfabric connects: ranks die during traffic, are
flooded while they do not poll, sleep, and stop."""

import contextlib
import os
import re
import signal
import subprocess
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
CRASHER = launched.program("CRASHER")
SOAK = launched.program("SOAK")
WORK = launched.program("WORK")
STRICT = launched.program("STRICT")
# Ranks of one host that share no memory take the place of hosts.
APART = {"GASNET_SUPERNODE_MAXSIZE": "1"}
# The most memory that a sender may allocate while its target does not poll.
MOST_GROWTH = 2 << 20


def job(ranks, *program, stdin=subprocess.DEVNULL, **env):
    command = [GASNETRUN, "-n", str(ranks), *program]
    return launched.Job(command, env={**APART, **env}, stdin=stdin)


def resident(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) << 10
    raise AssertionError(f"{pid} has no memory")


def await_told(started, what, rank):
    """Waits for a rank's line about `what`. Returns its process and number."""
    end = f" {what} {rank}\n".encode()
    started.read_until(end)
    said = started.out[: started.out.index(end)].rpartition(b"\n")[2]
    pid, number = said.split()
    return int(pid), int(number)


def tell(started):
    started.process.stdin.write(b"\n")
    started.process.stdin.close()
    started.process.stdin = None


class WishTest(unittest.TestCase):
    def test_reads_behind_puts_where_none_stay_there(self):
        with job(
            2,
            CRASHER,
            "never",
            FI_PROVIDER_PATH=os.path.dirname(STRICT),
            GASNET_OFI_PROVIDER="strict",
            GASNET_OFI_REMOTE_COMPLETION="read",
        ) as started:
            self.assertNotEqual(started.finish(), 0)
            self.assertRegex(
                started.err,
                b"GASNET_OFI_REMOTE_COMPLETION is read, but libfabric's provider "
                b"strict .* keeps no reads behind writes; accepted with it: own,",
            )


    def test_a_library_that_is_none(self):
        for library, says in (
            ("/nowhere.so", b"libfabric cannot be loaded .GASNET_OFI_LIBRARY names "
             b"it.: /nowhere.so: .*"),
            ("libc.so.6", b"libc.so.6 is no libfabric that programs for version "
             b"1.17 can use"),
        ):
            with self.subTest(library), job(
                2, WORK, "nothing", GASNET_OFI_LIBRARY=library
            ) as started:
                self.assertEqual(started.finish(), 1)
                (line,) = started.err.splitlines()
                self.assertRegex(line, b"gasnet_init: %s$" % says)


class ProviderReportTest(unittest.TestCase):
    def test_what_was_chosen_and_why(self):
        with job(2, WORK, "nothing", GASNET_VERBOSEENV="1") as started:
            self.assertEqual(started.finish(), 0, started.err)
        for line in (
            b"libfabric's provider tcp;ofi_rxm on device \\w+ is taken: the best "
            b"provider that is available, at this host's address 127.0.0.1\n",
            b"libfabric's provider tcp;ofi_rxm on device \\w+: puts complete by",
        ):
            self.assertRegex(started.err, line)
            self.assertEqual(len(re.findall(line, started.err)), 1)

    def test_what_there_is_and_why_it_is_taken_or_not(self):
        with job(2, WORK, "nothing", GASNET_OFI_LIST_DEVICES="1") as started:
            self.assertEqual(started.finish(), 0, started.err)
        lines = started.err.splitlines()
        for device, says in (
            (rb"tcp;ofi_rxm on device lo", b"taken"),
            (rb"sockets on device lo", b"taken only if .*_PROVIDER names it"),
            (rb"udp on device lo", b"cannot carry messages, puts and gets .*"),
        ):
            whole = rb".*rank 0, .*libfabric's provider %s: %s" % (device, says)
            listed = [line for line in lines if re.fullmatch(whole, line)]
            self.assertEqual(len(listed), 1, (device, started.err))

    def test_the_nodes_that_list_devices(self):
        for nodes, ranks in (("1-2", (1, 2)), ("*", (0, 1, 2)), ("7", ())):
            with self.subTest(nodes), job(
                3,
                WORK,
                "nothing",
                GASNET_OFI_LIST_DEVICES="1",
                GASNET_OFI_LIST_DEVICES_NODES=nodes,
            ) as started:
                self.assertEqual(started.finish(), 0, started.err)
                listed = re.findall(
                    rb"rank (\d), .*tcp;ofi_rxm on device lo: taken\n", started.err
                )
                self.assertEqual(sorted(map(int, listed)), list(ranks))


class DeathTest(unittest.TestCase):
    def test_the_end_of_a_rank_in_a_handler(self):
        for how, code, says in (
            ("abort", 128 + signal.SIGABRT, b"rank 3 .* SIGABRT"),
            ("kill", 128 + signal.SIGKILL, b"rank 3 .* SIGKILL"),
            ("fault", 128 + signal.SIGSEGV, b"rank 3 .* SIGSEGV"),
            ("exit", 7, b"rank 3 .*without calling gasnet_exit"),
            ("_exit", 7, b"rank 3 .*without calling gasnet_exit"),
            ("gasnet_exit", 7, b"^$"),
        ):
            with self.subTest(how), job(4, CRASHER, how) as started:
                self.assertEqual(started.finish(), code, started.err)
                self.assertRegex(started.err, says)

    def test_a_rank_is_killed(self):
        # Provider shm only answers "again" for a peer that has ended.
        for provider in "tcp", "shm":
            with self.subTest(provider), job(
                4, CRASHER, "never", GASNET_OFI_PROVIDER=provider
            ) as started:
                started.await_ready(4)
                victim = started.find(os.path.basename(CRASHER).encode())[0]
                os.kill(victim, signal.SIGKILL)
                self.assertEqual(started.finish(), 128 + signal.SIGKILL, started.err)
                self.assertRegex(started.err, b"pid %d.* SIGKILL" % victim)

    def test_the_launcher_ends(self):
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), job(4, CRASHER, "never") as started:
                started.await_ready(4)
                started.kill(number)
                dies = number == signal.SIGKILL
                self.assertEqual(
                    started.finish(), -number if dies else 128 + number
                )


class LeavingTest(unittest.TestCase):
    @contextlib.contextmanager
    def after_one_has_left(self, work, provider):
        with self.subTest(work, provider=provider), job(
            2, WORK, work, stdin=subprocess.PIPE, GASNET_OFI_PROVIDER=provider
        ) as started:
            sender, _ = await_told(started, "sending", 0)
            stopped, _ = await_told(started, "stops", 1)
            self.assertTrue(launched.await_states([stopped], "T"))
            self.assertTrue(launched.await_states([sender], "S"))
            os.kill(stopped, signal.SIGCONT)
            self.assertTrue(launched.await_states([stopped], "Z"))
            tell(started)
            yield started

    def test_puts_to_a_rank_that_has_left_are_done(self):
        for provider in "tcp", "shm":
            with self.after_one_has_left("puts", provider) as started:
                self.assertEqual(started.finish(), 0, started.err)

    def test_a_get_from_a_rank_that_has_left_ends_the_job(self):
        for provider in "tcp", "shm":
            with self.after_one_has_left("gets", provider) as started:
                self.assertNotEqual(started.finish(), 0)
                self.assertIn(
                    b"get of 64 bytes from rank 1 cannot be done: the rank has left",
                    started.err,
                )

    def test_longs_to_a_rank_that_has_left_are_done(self):
        # The put of the first Long fails in the middle. Provider shm only answers
        # "again" for a peer that has ended.
        for work, provider in (("gone", "tcp"), ("left", "tcp"), ("left", "shm")):
            with self.subTest(work, provider=provider), job(
                2, WORK, work, stdin=subprocess.PIPE, GASNET_OFI_PROVIDER=provider
            ) as started:
                sender, _ = await_told(started, "sending", 0)
                stopped, _ = await_told(started, "stops", 1)
                self.assertTrue(launched.await_states([stopped], "T"))
                self.assertTrue(launched.await_states([sender], "S"))
                os.kill(stopped, signal.SIGCONT)
                self.assertTrue(launched.await_states([stopped], "Z"))
                if work == "left":
                    tell(started)
                self.assertEqual(started.finish(), 0, started.err)


class TrafficTest(unittest.TestCase):
    def check_deaf(self, work):
        with job(8, WORK, work, stdin=subprocess.PIPE) as started:
            await_told(started, "deaf", 0)
            senders = [await_told(started, "sending", rank)[0] for rank in range(1, 8)]
            before = {pid: resident(pid) for pid in senders}
            self.assertTrue(launched.await_states(senders, "S"))
            grown = {pid: resident(pid) - before[pid] for pid in senders}
            self.assertLess(max(grown.values()), MOST_GROWTH, grown)
            tell(started)
            self.assertEqual(started.finish(), 0, started.err)

    def test_a_deaf_target_costs_its_senders_nothing(self):
        self.check_deaf("deaf")

    # Providers copy injected messages and need not refuse them (injected.h).
    def test_a_deaf_target_of_small_messages_costs_its_senders_nothing(self):
        self.check_deaf("small")

    def test_all_to_all(self):
        for ranks in 8, 16:
            with self.subTest(ranks), job(ranks, WORK, "all") as started:
                self.assertEqual(started.finish(), 0, started.err)

    def test_all_to_all_over_a_provider_that_reads_ahead(self):
        for ranks in 8, 16:
            with self.subTest(ranks), job(
                ranks, WORK, "all", GASNET_OFI_PROVIDER="net"
            ) as started:
                code = started.finish()
                if b"libfabric has no provider" in started.err:
                    self.skipTest("libfabric has no provider net here")
                self.assertEqual(code, 0, started.err)

    def test_what_was_injected_arrives_though_its_sender_leaves(self):
        # Messages leave over this provider only after many reads of the queue.
        with job(
            2,
            WORK,
            "leave",
            stdin=subprocess.PIPE,
            FI_PROVIDER_PATH=os.path.dirname(STRICT),
            GASNET_OFI_PROVIDER="strict",
            GASNET_STRICT="order=sas,late=40",
        ) as started:
            sender, _ = await_told(started, "leaves", 1)
            await_told(started, "arrived", 0)
            # The sender learns that all messages have left, and does not wait for the
            # other rank.
            self.assertTrue(launched.await_states([sender], "Z"))
            tell(started)
            self.assertEqual(started.finish(), 0, started.err)

    def test_everything_at_once(self):
        for waits in "descriptor", "naps":
            with self.subTest(waits), job(
                4, SOAK, "400", GASNET_OFI_WAIT=waits
            ) as started:
                self.assertEqual(started.finish(), 0, started.err)


class WaitingTest(unittest.TestCase):
    # The limit is in thousandths of a processor, on a machine with other load. A rank
    # that does not sleep uses a third or more.
    def test_who_sleeps_uses_next_to_nothing(self):
        for waits in "descriptor", "naps":
            with self.subTest(waits), job(
                2, WORK, "idle", GASNET_OFI_WAIT=waits
            ) as started:
                _, used = await_told(started, "used", 1)
                self.assertEqual(started.finish(), 0, started.err)
                self.assertLess(used, 200)

    def test_a_long_wait_is_told(self):
        with job(
            2, WORK, "put", stdin=subprocess.PIPE, GASNET_STALL_REPORT="2"
        ) as started:
            stopped, _ = await_told(started, "stops", 1)
            self.assertTrue(launched.await_states([stopped], "T"))
            tell(started)
            started.read_until(b"the network of rank 0 has waited for ", "err")
            started.read_until(b"to rank 1, on host ", "err")
            os.kill(stopped, signal.SIGCONT)
            self.assertEqual(started.finish(), 0, started.err)


if __name__ == "__main__":
    launched.main()
