"""One match: phases, seats, deadlines, pace and recorder. Time and chance are handed in."""
