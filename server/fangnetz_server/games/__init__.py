"""The games. Everything below this folder is pure: no clock, no chance of its own, no input or output."""
