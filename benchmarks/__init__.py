"""What things cost, measured: `make bench`, or one alone with `python -m benchmarks.records`.

A benchmark prints its figures and the bound that it holds them to, and measures what it compares
in the same run, so that the machine it runs on does not matter.
"""
