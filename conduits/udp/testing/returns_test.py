"""Tests of ranks that return from main while datagrams are under way."""

import signal
import unittest

import launched
import returning


class ReturnsTest(returning.Behaviour, unittest.TestCase):
    gone = {"GASNET_REQUESTTIMEOUT_MAX": "400000"}

    def lossy(self, faults):
        return {"GASNET_UDP_FAULTS": faults}

    def test_a_rank_that_closes_all_descriptors_is_told(self):
        job = returning.run("close_all")
        self.assertEqual(job.code, 128 + signal.SIGABRT)
        self.assertIn(b"this program has closed descriptor", job.err)


if __name__ == "__main__":
    launched.main()
