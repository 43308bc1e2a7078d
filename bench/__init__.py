"""Benchmarks that print ratios: `python -m bench`; docs/reference/benchmarks.md explains each."""
