/** Lines of sight on a map (R8.2, R8.3); `Grid` has them as methods. Lengths are in half fields, so they are whole. */

import { OFFSETS } from "./words.js";

/** @typedef {import("../types/messages.js").Direction} Direction */
/** @typedef {[right: number, down: number]} Slope A direction as a fraction: so much to the right for so much up or down. */
/** @typedef {[left: Slope, right: Slope]} Gap Directions that are open. */

/** The corners of a field, from its middle. */
const CORNERS = [
	[-1, -1],
	[1, -1],
	[1, 1],
	[-1, 1],
];
/** A slope that stands for the level direction. */
const LEVEL = 1 << 20;
/** Angles are compared with this reserve, as on the server. */
const EXACT = 1e-9;

/** Who sees whom on one map. */
export class Sight {
	/** @param {import("./grid.js").Grid} grid @param {readonly string[]} rows */
	constructor(grid, rows) {
		this.#grid = grid;
		this.#wallRuns = rows.map((row) =>
			[...row.matchAll(/#+/g)].map(({ index, 0: run }) => /** @type {[number, number]} */ ([index, index + run.length - 1])),
		);
	}

	#grid;
	#wallRuns;
	/** For each way from a middle to a corner the fields that it enters, as offsets. @type {Map<string, number[]>} */
	#lines = new Map();
	/** @type {Map<number, bigint>} */
	#inSight = new Map();

	/** @param {number} field @param {Direction} view @param {number} other @param {Iterable<number>} players @param {number} fovDegrees */
	sees(field, view, other, players, fovDegrees) {
		const taken = new Set(players);
		const solid = (/** @type {number} */ one) => one !== field && one !== other && (taken.has(one) || this.#isWall(one));
		const [x, y] = this.#grid.xy(field);
		const [otherX, otherY] = this.#grid.xy(other);
		return CORNERS.some(([cx, cy]) => {
			const [right, down] = [2 * (otherX - x) + cx, 2 * (otherY - y) + cy];
			return isInAngle(view, right, down, fovDegrees) && !this.#line(right, down).some((offset) => solid(field + offset));
		});
	}

	/** @param {number} field */
	inSight(field) {
		let known = this.#inSight.get(field);
		if (known === undefined) {
			const [x, y] = this.#grid.xy(field);
			const corners = this.#look(x, y, 1) | this.#look(x, y, -1);
			const stride = BigInt(this.#grid.stride);
			// A field is seen if one of its four corners is; corner (x, y) is the top left one of field (x, y).
			known = (corners | (corners >> 1n) | (corners >> stride) | (corners >> (stride + 1n))) & this.#grid.free;
			this.#inSight.set(field, known);
		}
		return known;
	}

	/** A wall on the map; a line that leaves the map and comes back does not exist. @param {number} field */
	#isWall(field) {
		const [x, y] = this.#grid.xy(field);
		return x >= 0 && y >= 0 && x < this.#grid.width && y < this.#grid.height && !this.#grid.isFree(field);
	}

	/**
	 * The fields that the line from the middle of a field to (right, down) enters, as offsets from that field.
	 * @param {number} right @param {number} down both odd
	 */
	#line(right, down) {
		const key = `${right} ${down}`;
		let known = this.#lines.get(key);
		if (!known) {
			known = this.#drawLine(right, down);
			this.#lines.set(key, known);
		}
		return known;
	}

	/** @param {number} right @param {number} down */
	#drawLine(right, down) {
		const [width, height] = [Math.abs(right), Math.abs(down)];
		const [toRight, toDown] = [Math.sign(right), Math.sign(down) * this.#grid.stride];
		const offsets = [];
		let first = 0;
		for (let row = 0; row <= height >> 1; row++) {
			const reached = width * Math.min(height, 2 * row + 1) + height;
			const column = Math.floor(reached / (2 * height));
			// R8.3: on the very edge it only touches.
			const last = reached % (2 * height) ? column : column - 1;
			for (let at = first; at <= last; at++) offsets.push(toDown * row + toRight * at);
			first = column;
		}
		return offsets;
	}

	/**
	 * The corners of fields in sight on one side of the row in which one looks.
	 * @param {number} x @param {number} y @param {1 | -1} down
	 */
	#look(x, y, down) {
		const { width, height } = this.#grid;
		const widest = 2 * width + 1;
		/** @type {Gap[]} */
		let gaps = [
			[
				[-widest, 1],
				[widest, 1],
			],
		];
		let corners = 0n;
		for (let away = 0; away < (down < 0 ? y + 1 : height - y); away++) {
			for (const [first, last] of this.#wallRuns[y + down * away]) {
				const shadow = shadowOf(first - x, last - x, away);
				gaps = gaps.flatMap((gap) => cut(gap, shadow));
			}
			const below = 2 * away + 1;
			const line = y + down * away + (down > 0 ? 1 : 0);
			for (const [[left, leftDown], [right, rightDown]] of gaps) {
				// The first and the last odd number between the two slopes, as columns of corners.
				const begin = Math.max(0, Math.ceil((left * below + leftDown) / (2 * leftDown)) + x);
				const end = Math.min(width, Math.floor((right * below + rightDown) / (2 * rightDown)) + x);
				if (begin <= end) corners |= ((1n << BigInt(end - begin + 1)) - 1n) << BigInt(this.#grid.at(begin, line));
			}
		}
		return corners;
	}
}

/**
 * The slopes between which a run of walls hides what is behind it.
 * @param {number} first @param {number} last the columns of the run, counted from the one who looks
 * @param {number} away its row, counted likewise
 * @returns {Gap}
 */
function shadowOf(first, last, away) {
	const [left, right, near, far] = [2 * first - 1, 2 * last + 1, 2 * away - 1, 2 * away + 1];
	if (away === 0)
		return left > 0
			? [
					[left, 1],
					[LEVEL, 1],
				]
			: [
					[-LEVEL, 1],
					[right, 1],
				];
	return [
		[left, left > 0 ? far : near],
		[right, right > 0 ? near : far],
	];
}

/** What is left of a gap outside a shadow; a line that only touches stays (R8.3). @param {Gap} gap @param {Gap} shadow @returns {Gap[]} */
function cut([left, right], [low, high]) {
	if (low[0] * right[1] >= right[0] * low[1] || high[0] * left[1] <= left[0] * high[1]) return [[left, right]];
	/** @type {Gap[]} */
	const parts = [];
	if (left[0] * low[1] <= low[0] * left[1]) parts.push([left, low]);
	if (high[0] * right[1] <= right[0] * high[1]) parts.push([high, right]);
	return parts;
}

/** @param {Direction} view @param {number} right @param {number} down @param {number} fovDegrees */
function isInAngle(view, right, down, fovDegrees) {
	const [dx, dy] = OFFSETS[view];
	const off = Math.atan2(down, right) - Math.atan2(dy, dx);
	const turn = off - 2 * Math.PI * Math.round(off / (2 * Math.PI));
	return Math.abs(turn) <= (fovDegrees * Math.PI) / 360 + EXACT;
}
