"""How fast the package computes, always as a ratio to something else in the same run.

`python -m benchmarks` prints a table, `--json` the same figures for a machine, `--quick` a short
run. A time by itself says more about the machine than about the package, so what is stated is
time over time, both taken in turns within one process, or calls over calls, which do not depend
on the machine at all.
"""
