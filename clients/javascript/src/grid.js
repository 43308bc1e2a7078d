/**
 * The map of a Right2Live match as a bot wants it: steps, ways, touches and lines of sight.
 *
 *     const grid = new Grid(this.setup.map);
 *     const here = grid.at(me.x, me.y);
 *     const far = grid.distances(there);
 *     const best = minBy(grid.steps(here), (step) => far[step.field]);
 *
 * A field is a number, made by `at` from column and row. A set of fields is a BigInt with one bit a field: union is
 * `|`, what both have is `&`; `setOf`, `fieldsOf` and `countOf` lead there and back.
 */

import { minBy } from "./choose.js";
import { Sight } from "./sight.js";
import { COMPASS, OFFSETS } from "./words.js";

/** @typedef {import("../types/messages.js").Direction} Direction */
/** @typedef {{direction: Direction, field: number}} Step A step that the walls allow, and where it leads. */

/** Distance to a field to which no way leads. */
export const UNREACHABLE = 65535;
/** How many tables of distances a grid keeps; all of a 70x30 map take about 9 MB. */
const MOST_DISTANCES = 4_000;

/** The set of some fields. @param {Iterable<number>} fields */
export function setOf(fields) {
	let set = 0n;
	for (const field of fields) set |= 1n << BigInt(field);
	return set;
}

/** The fields of a set, in order. @param {bigint} set */
export function fieldsOf(set) {
	const bits = set.toString(2);
	const fields = [];
	for (let at = bits.length - 1; at >= 0; at--) if (bits[at] === "1") fields.push(bits.length - 1 - at);
	return fields;
}

/** The number of fields of a set. @param {bigint} set */
export function countOf(set) {
	let count = 0;
	for (const bit of set.toString(2)) if (bit === "1") count++;
	return count;
}

/** The walls of a map. */
export class Grid {
	/** @param {readonly string[]} rows the lines of the map, `#` for a wall (`setup.map`) */
	constructor(rows) {
		this.width = rows[0].length;
		this.height = rows.length;
		// One column of walls closes each row on the left and the row above on the right.
		this.stride = this.width + 1;
		this.#size = (this.height + 2) * this.stride + 1;
		const all = rows.flatMap((row, y) => [...row].map((sign, x) => ({ sign, x, y, field: this.at(x, y) })));
		/** All free fields, row by row. @type {readonly number[]} */
		this.fields = all.filter(({ sign }) => sign !== "#").map(({ field }) => field);
		/** The set of all free fields. */
		this.free = setOf(this.fields);
		this.#open = new Uint8Array(this.#size);
		for (const field of this.fields) this.#open[field] = 1;
		for (const field of this.fields) this.#steps.set(field, this.#stepsFrom(field));
		for (const direction of COMPASS) this.#doors.push(this.#door(direction));
		this.#sight = new Sight(this, rows);
	}

	#size;
	#open;
	/** @type {Map<number, Step[]>} */
	#steps = new Map();
	/** For each direction the fields from which a step is possible, and by how much it moves them. @type {{starts: bigint, offset: bigint}[]} */
	#doors = [];
	#sight;
	/** @type {Map<number, Uint16Array>} */
	#distances = new Map();
	/** @type {Map<string, bigint>} */
	#ahead = new Map();

	/** The field in column x and row y. @param {number} x @param {number} y */
	at(x, y) {
		return (y + 1) * this.stride + x + 1;
	}

	/** Column and row of a field. @param {number} field @returns {[x: number, y: number]} */
	xy(field) {
		return [(field % this.stride) - 1, Math.floor(field / this.stride) - 1];
	}

	/** Whether a field is no wall. @param {number} field */
	isFree(field) {
		return this.#open[field] === 1;
	}

	// Steps (R3.1, R3.2)

	/** All steps from a field that the walls allow; players may still be in the way. @param {number} field @returns {readonly Step[]} */
	steps(field) {
		return this.#steps.get(field) ?? [];
	}

	/** Whether the walls allow a step. @param {number} field @param {Direction} direction */
	canStep(field, direction) {
		const [dx, dy] = OFFSETS[direction];
		const down = dy * this.stride;
		// R3.2: a diagonal step needs both ways round the corner.
		return this.isFree(field) && this.isFree(field + dx) && this.isFree(field + down) && this.isFree(field + dx + down);
	}

	/** The set of fields that are at most one step away from a set of fields. @param {bigint} fields */
	spread(fields) {
		let reached = fields;
		for (const { starts, offset } of this.#doors) reached |= (fields & starts) << offset;
		return reached;
	}

	/** How many steps each field is away from `start`, by field (and back: ways are two-way). @param {number} start @returns {Readonly<Uint16Array>} */
	distances(start) {
		let known = this.#distances.get(start);
		if (!known) {
			if (this.#distances.size >= MOST_DISTANCES) this.#distances.clear();
			known = this.#flood(start);
			this.#distances.set(start, known);
		}
		return known;
	}

	/** The fields of a shortest way, without `start`; empty if there is none. @param {number} start @param {number} goal */
	path(start, goal) {
		const far = this.distances(goal);
		/** @type {number[]} */
		const way = [];
		for (let field = start; field !== goal && far[start] < UNREACHABLE; way.push(field))
			field = /** @type {Step} */ (minBy(this.steps(field), (step) => far[step.field])).field;
		return way;
	}

	// Touches (R5.3)

	/**
	 * Whether players on two fields touch, with `players` on the fields round about.
	 * @param {number} one @param {number} other @param {Iterable<number>} [players]
	 */
	canTouch(one, other, players = []) {
		const [x, y] = this.xy(one);
		const [otherX, otherY] = this.xy(other);
		if (Math.max(Math.abs(otherX - x), Math.abs(otherY - y)) !== 1) return false;
		if (x === otherX || y === otherY) return true;
		// R5.3: one free way round the corner is enough, a step needs both.
		const taken = new Set(players);
		return [this.at(x, otherY), this.at(otherX, y)].some((corner) => this.isFree(corner) && !taken.has(corner));
	}

	/**
	 * The set of fields on which one can be touched by somebody on a set of fields. Players who block the way are not
	 * looked at.
	 * @param {bigint} fields
	 */
	touched(fields) {
		const stride = BigInt(this.stride);
		const level = (fields << 1n) | (fields >> 1n);
		const upright = (fields << stride) | (fields >> stride);
		// A diagonal touch goes through a free field beside or above the one who touches.
		const [throughLevel, throughUpright] = [level & this.free, upright & this.free];
		const diagonal = (throughLevel << stride) | (throughLevel >> stride) | (throughUpright << 1n) | (throughUpright >> 1n);
		return (fields | level | upright | diagonal) & this.free;
	}

	// Sight (R8.2, R8.3)

	/**
	 * Whether one on `field`, who looks in direction `view`, sees an opponent on `other`.
	 * @param {number} field @param {Direction} view @param {number} other
	 * @param {Iterable<number>} [players] the fields of all players that may stand in between
	 * @param {number} [fovDegrees] the whole angle of view, from the ruleset
	 */
	sees(field, view, other, players = [], fovDegrees = 179) {
		return this.#sight.sees(field, view, other, players, fovDegrees);
	}

	/** The set of fields that can be seen from a field by one who looks everywhere, players in between aside. @param {number} field */
	inSight(field) {
		return this.#sight.inSight(field);
	}

	/** The set of fields whose middle lies in the half of the map that `view` looks at. @param {number} field @param {Direction} view */
	ahead(field, view) {
		const [dx, dy] = OFFSETS[view];
		const along = (/** @type {number} */ one) => {
			const [x, y] = this.xy(one);
			return dx * x + dy * y;
		};
		const key = `${view} ${along(field)}`;
		let known = this.#ahead.get(key);
		if (known === undefined) {
			const all = Array.from({ length: this.width * this.height }, (_, at) => this.at(at % this.width, Math.floor(at / this.width)));
			known = setOf(all.filter((one) => along(one) > along(field)));
			this.#ahead.set(key, known);
		}
		return known;
	}

	/** @param {number} field @returns {Step[]} */
	#stepsFrom(field) {
		return COMPASS.filter((direction) => this.canStep(field, direction)).map((direction) => ({
			direction,
			field: field + this.#offset(direction),
		}));
	}

	/** @param {Direction} direction */
	#offset(direction) {
		const [dx, dy] = OFFSETS[direction];
		return dx + dy * this.stride;
	}

	/** @param {Direction} direction */
	#door(direction) {
		// Shifting to the left by a negative number is shifting to the right.
		return {
			starts: setOf(this.fields.filter((field) => this.canStep(field, direction))),
			offset: BigInt(this.#offset(direction)),
		};
	}

	/** @param {number} start */
	#flood(start) {
		const far = new Uint16Array(this.#size).fill(UNREACHABLE);
		far[start] = 0;
		const queue = [start];
		for (const field of queue) {
			for (const step of this.steps(field)) {
				if (far[step.field] !== UNREACHABLE) continue;
				far[step.field] = far[field] + 1;
				queue.push(step.field);
			}
		}
		return far;
	}
}
