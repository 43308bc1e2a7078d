/** The eight directions, clockwise from NORTH. @type {readonly import("../types/messages.js").Direction[]} */
export const COMPASS: readonly import("../types/messages.js").Direction[];
/** Step to the right and step downwards of each direction (R1.2: NORTH is y - 1). @type {Readonly<Record<import("../types/messages.js").Direction, readonly [number, number]>>} */
export const OFFSETS: Readonly<Record<import("../types/messages.js").Direction, readonly [number, number]>>;
/** What each close code means (P1.8). @type {Readonly<Record<number, string>>} */
export const CLOSE_CODES: Readonly<Record<number, string>>;
