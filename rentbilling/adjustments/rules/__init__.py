"""One rule on one day: index values become a percentage, limits hold it, and an amount follows."""
