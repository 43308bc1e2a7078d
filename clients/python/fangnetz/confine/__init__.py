"""Programs of other people, held in bounds: limits, the sandbox that this machine can offer, and a watch."""
