"""Tests of the choice of a conduit, by a program that contains all of them. All hosts
are this machine, which libfabric reaches by the strict provider or by IP."""

import os
import re
import unittest

import launched

GASNETRUN = launched.program("GASNETRUN")
SAYS = launched.program("SAYS")
FAKE_SSH = launched.program("FAKE_SSH_PROGRAM")
STRICT = launched.program("STRICT")
RANKS = 4
ONE_HOST = ()
HOSTS = ("-H", "one,two")
# A network that does not use the host's IP.
A_NETWORK = {
    "FI_PROVIDER_PATH": os.path.dirname(STRICT),
    "GASNET_OFI_PROVIDER": "strict",
}


def run(where, *options, turns=(), **env):
    return launched.run(
        [GASNETRUN, "-n", str(RANKS), *options, *where, SAYS, *turns],
        env={"GASNET_SSH_CMD": FAKE_SSH, **env})


class ChoiceTest(unittest.TestCase):
    # `turns`: other conduits that the same processes use afterwards.
    def expect(self, conduit, where, turns=(), **env):
        done = run(where, turns=turns, **env)
        said = sorted(re.sub(rb"^\[\d+\] ", b"", line)
                      for line in done.out.splitlines())
        self.assertEqual(
            (done.code, said, done.err),
            (0, sorted(f"rank {rank} of {RANKS} uses {each}".encode()
                       for rank in range(RANKS) for each in (conduit, *turns)),
             b""))

    def refuse(self, where, says, **env):
        done = run(where, **env)
        self.assertNotEqual(done.code, 0)
        self.assertEqual(done.out, b"")
        self.assertRegex(done.err, says)

    def test_by_itself(self):
        self.expect("smp", ONE_HOST)
        self.expect("udp", HOSTS)
        self.expect("ofi", HOSTS, **A_NETWORK)
        # All ranks share memory there, so libfabric is not used.
        self.expect("smp", ONE_HOST, GASNET_OFI_LIBRARY="/nowhere.so")
        self.expect("udp", HOSTS, GASNET_OFI_LIBRARY="/nowhere.so")
        self.expect("udp", HOSTS, GASNET_OFI_PROVIDER="tcp")

    def test_by_name(self):
        for conduit in ("smp", "udp", "ofi", "portals"):
            with self.subTest(conduit):
                self.expect(conduit, ONE_HOST, GASNET_CONDUIT=conduit)
        for conduit in ("udp", "ofi", "portals"):
            with self.subTest(conduit):
                self.expect(conduit, HOSTS, GASNET_CONDUIT=conduit.upper())
        self.expect("udp", HOSTS, GASNET_CONDUIT="udp", **A_NETWORK)
        self.expect("udp", HOSTS, GASNET_CONDUIT="auto")

    def test_in_turns(self):
        all_of_them = ("portals", "smp", "ofi", "udp", "udp", "smp")
        self.expect("smp", ONE_HOST, all_of_them)
        self.expect("smp", ONE_HOST, all_of_them, GASNET_SUPERNODE_MAXSIZE="1")
        self.expect("udp", HOSTS, ("ofi", "portals", "ofi", "udp"))
        self.expect("ofi", HOSTS, ("udp", "ofi"), **A_NETWORK)

    def test_what_cannot_be(self):
        self.refuse(ONE_HOST, b"GASNET_CONDUIT.*ibv.*auto, smp, udp, ofi, portals",
                    GASNET_CONDUIT="ibv")
        self.refuse(HOSTS, b"the smp conduit runs on one host; this job has ranks on "
                    b"several", GASNET_CONDUIT="smp")
        self.refuse(HOSTS, b"libfabric cannot be loaded", GASNET_CONDUIT="ofi",
                    GASNET_OFI_LIBRARY="/nowhere.so")

    def test_the_choice_is_named(self):
        for where, says in (
            (ONE_HOST, b"the conduit is smp: all ranks are on one host"),
            (HOSTS, b"the conduit is udp: there are several hosts, and libfabric has "
             b"no network of its own on all of them"),
        ):
            for done in (run(where, GASNET_VERBOSEENV="1"),
                         run(where, "-v", GASNET_VERBOSEJOB="0")):
                self.assertEqual(done.code, 0)
                self.assertEqual(done.err.count(b"the conduit is"), 1)
                self.assertIn(says, done.err)


if __name__ == "__main__":
    launched.main()
