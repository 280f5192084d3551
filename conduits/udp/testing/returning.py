"""Support for tests of ranks that return from main while messages are under way."""

import launched

GASNETRUN = launched.program("GASNETRUN")
RETURNS = launched.program("RETURNS")


def run(way, **env):
    env = {"GASNET_SUPERNODE_MAXSIZE": "1", **env}
    return launched.run([GASNETRUN, "-n", "2", RETURNS, way], env=env)


class Behaviour:
    """Tests for a network that can lose datagrams.

    undisturbed: variables for variants of the network, each of which loses nothing.
    gone: variables for jobs in which one rank vanishes.
    lossy(faults): returns the variables that cause these faults.
    """

    undisturbed = ({},)
    gone = {}

    def ends_well(self, way, out, env):
        job = run(way, **env)
        self.assertEqual((job.code, job.out, job.err), (0, out, b""))

    def test_what_was_sent_before_a_return_arrives(self):
        # The sender of the message has returned long before.
        for env in (*self.undisturbed, self.lossy("drop=25,reorder=10,seed=3")):
            self.ends_well("sender_returns", b"all arrived\n", env)

    def test_what_was_sent_before_an_exit_in_a_handler_arrives(self):
        lossy = [self.lossy(f"drop=40,seed={seed}") for seed in range(8)]
        for env in (*self.undisturbed, *lossy):
            self.ends_well("handler_exits", b"all arrived\n", env)

    def test_two_that_return_at_once_do_not_wait_for_each_other(self):
        for seed in range(5):
            env = self.lossy(f"drop=25,seed={seed}")
            self.ends_well("both_return", b"", env)

    def test_a_rank_that_is_gone_holds_nobody_up_and_is_no_error(self):
        for env in self.undisturbed:
            self.ends_well("receiver_vanishes", b"all sent\n", {**env, **self.gone})
