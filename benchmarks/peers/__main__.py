"""Runs every comparison with a peer and writes PEERS.md: `python -m benchmarks.peers`, where peers are installed."""

import sys
from pathlib import Path

from benchmarks import peers
from benchmarks.__main__ import measured

if __name__ == "__main__":
    sys.exit(measured(peers, Path(__file__).with_name("PEERS.md"), "make bench-peers", sys.argv[1:]))
