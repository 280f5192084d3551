"""A hostile host, which hears all datagrams of a job and sends them again.

    replayer.py INTERFACE NAMESPACE TARGET...

It listens on INTERFACE in this network namespace, and sends from eth0 of the namespace
of process NAMESPACE. It repeats each datagram between two TARGETs (IPv4 addresses) at
once, and now and then one of the first ones: unchanged, with one bit changed, and
truncated. The copies have the address of the real sender. At the end of its input it
prints the number of datagrams that it has sent, and ends.
"""

import ctypes
import os
import random
import select
import socket
import struct
import sys

EVERY_PROTOCOL = 3
NEW_NETWORK = 0x40000000  # CLONE_NEWNET
HEADERS = 14 + 20 + 8  # Ethernet, IPv4 without options, UDP
MOST_KEPT = 2000


def enter_network_of(pid):
    with open(f"/proc/{pid}/ns/net", encoding="ascii") as space:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(space.fileno(), NEW_NETWORK) != 0:
            raise OSError(ctypes.get_errno(), "setns")


def is_of_the_job(frame, targets):
    return (len(frame) > HEADERS and frame[12:14] == b"\x08\x00"
            and frame[14] == 0x45 and frame[23] == socket.IPPROTO_UDP
            and frame[26:30] in targets and frame[30:34] in targets)


def ip_checksum(header):
    total = sum(struct.unpack("!10H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def forged(frame, source, payload):
    """Returns the frame with another payload and hardware address, and without a UDP
    checksum, which is optional over IPv4."""
    ip = bytearray(frame[14:34])
    struct.pack_into("!H", ip, 2, 28 + len(payload))
    struct.pack_into("!H", ip, 10, 0)
    struct.pack_into("!H", ip, 10, ip_checksum(bytes(ip)))
    udp = frame[34:38] + struct.pack("!HH", 8 + len(payload), 0)
    return frame[:6] + source + frame[12:14] + bytes(ip) + udp + payload


def variants(payload, generator):
    turned = bytearray(payload)
    turned[generator.randrange(len(turned))] ^= 1 << generator.randrange(8)
    return [payload, bytes(turned), payload[:generator.randrange(len(payload))]]


def main():
    interface, namespace, *targets = sys.argv[1:]
    targets = [socket.inet_aton(target) for target in targets]
    generator = random.Random(1)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW,
                       socket.htons(EVERY_PROTOCOL)) as ears:
        ears.bind((interface, EVERY_PROTOCOL))
        enter_network_of(namespace)
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0) as mouth:
            mouth.bind(("eth0", 0))
            print("listening", flush=True)
            spray(ears, mouth, targets, generator)


def spray(ears, mouth, targets, generator):
    source = mouth.getsockname()[4]
    kept = []
    sent = 0
    while True:
        ready, _, _ = select.select([ears, sys.stdin], [], [])
        if sys.stdin in ready and not os.read(0, 1):
            break
        if ears not in ready:
            continue
        frame = ears.recv(1 << 16)
        # The socket also receives this host's own datagrams.
        if not is_of_the_job(frame, targets) or frame[6:12] == source:
            continue
        if len(kept) < MOST_KEPT:
            kept.append(frame)
        for old in (frame, generator.choice(kept)):
            for payload in variants(old[HEADERS:], generator):
                mouth.send(forged(old, source, payload))
                sent += 1
    print(sent)


main()
