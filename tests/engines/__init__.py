"""One function on the engines people run: its bills are those of plain pyarrow, to the last digit.

`poe engines` runs all of it, with the extra `engines`. The tests of an engine that is not installed
are skipped and say so.
"""
