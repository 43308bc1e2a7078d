"""Hypothesis without a clock: how long an example takes depends on what else the machine does."""

from hypothesis import settings

settings.register_profile("no_clock", deadline=None)
settings.load_profile("no_clock")
