/** Pure geometry: no canvas, no page. Angles are radians, 0 to the right, growing clockwise as y does on a screen. */

const EIGHTH = Math.PI / 4;

/** Eighths of a turn, clockwise from east (R1.2: north is y - 1). @type {Record<string, number>} */
const EIGHTHS = {
	EAST: 0,
	SOUTH_EAST: 1,
	SOUTH: 2,
	SOUTH_WEST: 3,
	WEST: 4,
	NORTH_WEST: 5,
	NORTH: 6,
	NORTH_EAST: 7,
};

/** The angle of one of the eight directions; an unknown word looks north. @param {string} direction */
export function directionAngle(direction) {
	return (EIGHTHS[direction] ?? 6) * EIGHTH;
}

/** @param {number} from @param {number} to @param {number} fraction */
export function lerp(from, to, fraction) {
	return from + (to - from) * fraction;
}

/**
 * The angle between two angles, turning the shorter way.
 * @param {number} from
 * @param {number} to
 * @param {number} fraction
 */
export function lerpAngle(from, to, fraction) {
	const turn = Math.PI * 2;
	const way = ((((to - from) % turn) + turn * 1.5) % turn) - Math.PI;
	return from + way * fraction;
}

/**
 * A place on the curve that leaves `from` with `speedFrom` and reaches `to` with `speedTo` after `seconds`.
 * Exact for a constant acceleration, which is what a ball has within a tick (B2.3).
 * @param {number} from
 * @param {number} speedFrom
 * @param {number} to
 * @param {number} speedTo
 * @param {number} seconds
 * @param {number} fraction
 */
export function hermite(from, speedFrom, to, speedTo, seconds, fraction) {
	const s = fraction;
	const rest = 1 - s;
	const start = rest * rest * ((1 + 2 * s) * from + s * seconds * speedFrom);
	const end = s * s * ((3 - 2 * s) * to - rest * seconds * speedTo);
	return start + end;
}

/** @param {number} value @param {number} least @param {number} most */
export function clamp(value, least, most) {
	return Math.min(most, Math.max(least, value));
}

/**
 * The largest grid of square cells inside a box, centred.
 * @param {number} width
 * @param {number} height
 * @param {number} columns
 * @param {number} rows
 */
export function fitGrid(width, height, columns, rows) {
	const cell = Math.max(0, Math.min(width / columns, height / rows));
	return { cell, left: (width - cell * columns) / 2, top: (height - cell * rows) / 2 };
}

/**
 * Poison of a field from 0 (the mildest, 0.01 a round) to 1 (the worst, 0.20), by its letter in the layer (R1.3).
 * @param {string | undefined} letter
 */
export function poison(letter) {
	if (letter === "0" || letter === "#") return 1;
	const digit = Number(letter);
	return digit >= 1 ? (digit * 0.02 - 0.01) / 0.19 : 0;
}

/**
 * What can be seen from a place: the corners of a polygon, in fields. The bots' own rule (R8.2) counts more finely;
 * whom a bot sees is told by the server.
 * @param {(x: number, y: number) => boolean} blocks whether a field stops looks
 * @param {number} x
 * @param {number} y
 * @param {number} angle of the middle, in radians
 * @param {number} width whole angle, in radians
 * @returns {[number, number][]}
 */
export function sightPolygon(blocks, x, y, angle, width) {
	const rays = Math.max(2, Math.ceil(width / 0.0175));
	/** @type {[number, number][]} */
	const corners = width < Math.PI * 2 - 0.01 ? [[x, y]] : [];
	for (let ray = 0; ray <= rays; ray += 1) {
		const turn = angle - width / 2 + (width * ray) / rays;
		corners.push(castRay(blocks, x, y, Math.cos(turn), Math.sin(turn)));
	}
	return corners;
}

/**
 * @param {(x: number, y: number) => boolean} blocks
 * @param {number} x
 * @param {number} y
 * @param {number} dx
 * @param {number} dy
 * @returns {[number, number]}
 */
function castRay(blocks, x, y, dx, dy) {
	let [column, row] = [Math.floor(x), Math.floor(y)];
	const [stepX, stepY] = [Math.sign(dx), Math.sign(dy)];
	const [perX, perY] = [Math.abs(1 / dx), Math.abs(1 / dy)];
	let nextX = dx > 0 ? (column + 1 - x) * perX : (x - column) * perX;
	let nextY = dy > 0 ? (row + 1 - y) * perY : (y - row) * perY;
	for (;;) {
		const length = Math.min(nextX, nextY);
		if (nextX < nextY) [column, nextX] = [column + stepX, nextX + perX];
		else [row, nextY] = [row + stepY, nextY + perY];
		if (blocks(column, row)) return [x + dx * length, y + dy * length];
	}
}
