"""Run every benchmark; the exit status is 1 when a bound is broken."""

import sys

from benchmarks import bots, news, polls, records

MEMBERS = (records, bots, news, polls)

if __name__ == "__main__":
    kept = [member.main() for member in MEMBERS]
    sys.exit(not all(kept))
