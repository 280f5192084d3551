"""Tests of ranks that return from main while operations of Portals are under way, in
shared memory and by datagrams."""

import unittest

import launched
import returning


class ReturnsTest(returning.Behaviour, unittest.TestCase):
    undisturbed = (
        {"PORTALS4_TRANSPORT": "memory"},
        {"PORTALS4_TRANSPORT": "datagram"},
    )

    def lossy(self, faults):
        return {"PORTALS4_TRANSPORT": "datagram",
                "PORTALS4_DATAGRAM_FAULTS": faults}


if __name__ == "__main__":
    launched.main()
