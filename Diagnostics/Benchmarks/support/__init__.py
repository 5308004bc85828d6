"""What the benchmarks share: the processes they measure, the tables they print."""
