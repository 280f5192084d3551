"""Ranks that return from main while Portals has something under way, in memory and
as datagrams."""

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
