// Written by `make schema` from the models of fangnetz_protocol; do not edit.

/** The eight directions, clockwise from NORTH. @type {readonly import("../types/messages.js").Direction[]} */
export const COMPASS = ["NORTH", "NORTH_EAST", "EAST", "SOUTH_EAST", "SOUTH", "SOUTH_WEST", "WEST", "NORTH_WEST"];

/** Step to the right and step downwards of each direction (R1.2: NORTH is y - 1). @type {Readonly<Record<import("../types/messages.js").Direction, readonly [number, number]>>} */
export const OFFSETS = {
	NONE: [0, 0],
	NORTH: [0, -1],
	NORTH_EAST: [1, -1],
	EAST: [1, 0],
	SOUTH_EAST: [1, 1],
	SOUTH: [0, 1],
	SOUTH_WEST: [-1, 1],
	WEST: [-1, 0],
	NORTH_WEST: [-1, -1],
};

/** What each close code means (P1.8). @type {Readonly<Record<number, string>>} */
export const CLOSE_CODES = {
	1000: "All is done.",
	1001: "The server or the client shuts down.",
	1003: "Binary frames came again and again; all messages are text.",
	1008: "Too many faults: limits.strikes is used up.",
	1009: "A message was far larger than limits.message_bytes.",
	1011: "The server made a mistake.",
	1012: "The server restarts; connect again with resume.",
	4001: "Another connection has taken over with resume (P2.4).",
	4002: "This bot has a connection already and gave no resume (P2.6).",
	4003: "The reader could not keep up and its buffer was full (P3.5).",
	4004: "No valid hello came in time.",
	4005: "The hello was refused; the error before says why.",
	4006: "There is no such match to watch.",
	4007: "Nothing was said or played for long; connect again to play.",
};
