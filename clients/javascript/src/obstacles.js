/** The walls and the mines of Spaceballs, and how not to touch them. Units are those of flight.js. */

import { minBy } from "./choose.js";
import { direction } from "./flight.js";

/** @typedef {import("./flight.js").Motion} Motion */
/** @typedef {import("./flight.js").Vector} Vector */
/** @typedef {{push: Vector, ticks: number}} Escape How to get out of danger: so many ticks of a thrust, then braking. */

/** Steps of a swerve that are checked as one straight line; it is bent by half a thousandth. */
const CHORD = 20;
/** Such lines of the longest swerve that is tried. */
const CHORDS = 5;

/** The walls and the mines, for the centre of a ball. */
export class Obstacles {
	/**
	 * @param {Iterable<{x: number, y: number}>} mines the mines that are left
	 * @param {Pick<import("../types/messages.js").SpaceballsBriefing, "ball_radius" | "mine_radius" | "thrust">} briefing the sizes of the match: `setup`
	 * @param {number} [margin] distance to keep besides
	 */
	constructor(mines, briefing, margin = 0) {
		/** The least coordinate for a centre. */
		this.low = briefing.ball_radius + margin;
		/** The largest coordinate for a centre. */
		this.high = 1 - this.low;
		/** The least distance from a mine's centre. */
		this.radius = briefing.ball_radius + briefing.mine_radius + margin;
		/** @type {readonly Vector[]} */
		this.mines = Array.from(mines, ({ x, y }) => [x, y]);
		this.#thrust = briefing.thrust;
	}

	#thrust;

	/** How far a point is from the nearest wall or mine; below zero it is inside one. @param {number} x @param {number} y */
	clearance(x, y) {
		const walls = Math.min(x, y, 1 - x, 1 - y) - this.low;
		return Math.min(walls, ...this.mines.map(([mx, my]) => Math.hypot(mx - x, my - y) - this.radius));
	}

	/** Whether the straight way from (x, y) by (dx, dy) touches no wall and no mine. @param {number} x @param {number} y @param {number} dx @param {number} dy */
	isClear(x, y, dx, dy) {
		const inside = (/** @type {number} */ at) => this.low < at && at < this.high;
		return inside(x) && inside(y) && inside(x + dx) && inside(y + dy) && this.firstMine(x, y, dx, dy) === null;
	}

	/** The mine that the straight way from (x, y) by (dx, dy) touches first. @param {number} x @param {number} y @param {number} dx @param {number} dy */
	firstMine(x, y, dx, dy) {
		const length2 = dx * dx + dy * dy;
		const limit = this.radius * this.radius;
		/** @type {Vector | null} */
		let found = null;
		let nearest = Infinity;
		for (const mine of this.mines) {
			const [mx, my] = [mine[0] - x, mine[1] - y];
			const along = mx * dx + my * dy;
			// The point of the way that is nearest to the mine: its start, its end, or between.
			const share = along <= 0 ? 0 : along >= length2 ? 1 : along / length2;
			const [px, py] = [mx - share * dx, my - share * dy];
			if (px * px + py * py <= limit && share < nearest) [nearest, found] = [share, mine];
		}
		return found;
	}

	/**
	 * Whether the ball, coasting for `delay` seconds and then braking, stops without a crash. A ball that can stop is
	 * safe for good: it may wait where it stands. A bot that takes no action after which it could not stop never crashes.
	 * @param {Motion} motion @param {number} [delay]
	 */
	canStop(motion, delay = 0) {
		const time = motion.speed / (2 * this.#thrust) + delay;
		return this.isClear(motion.x, motion.y, motion.vx * time, motion.vy * time);
	}

	/**
	 * What saves the ball: to brake, or to swerve and then brake; null if neither is found. The swerve is a steady
	 * thrust across the motion, to the left or to the right.
	 * @param {Motion} motion @param {number} stepsPerTick @param {number} [delay]
	 * @returns {Escape | null}
	 */
	escape(motion, stepsPerTick, delay = 0) {
		if (this.canStop(motion, delay)) return { push: [0, 0], ticks: 0 };
		const [ax, ay] = direction(-motion.vy, motion.vx, this.#thrust);
		const ticks = Math.max(1, Math.floor(CHORD / stepsPerTick));
		for (const side of [1, -1]) {
			const chords = this.#swerve(motion, [side * ax, side * ay], ticks * stepsPerTick);
			if (chords) return { push: direction(side * ax, side * ay), ticks: chords * ticks };
		}
		return null;
	}

	/** After how many lines of a swerve the ball can stop; 0: it crashes before, or never can. @param {Motion} motion @param {Vector} acceleration @param {number} steps */
	#swerve(motion, acceleration, steps) {
		let here = motion;
		for (let chord = 1; chord <= CHORDS; chord++) {
			const there = here.after(acceleration, steps);
			if (!this.isClear(here.x, here.y, there.x - here.x, there.y - here.y)) return 0;
			if (this.canStop(there)) return chord;
			here = there;
		}
		return 0;
	}

	/**
	 * Where to fly first to get to the goal: the goal itself, or a point beside a mine. Each mine in the way is passed
	 * on the side with the shorter detour that is not blocked itself.
	 * @param {number} x @param {number} y @param {Vector} goal @param {number} [turns]
	 */
	wayRound(x, y, goal, turns = 3) {
		let aim = goal;
		for (let turn = 0; turn < turns; turn++) {
			const mine = this.firstMine(x, y, aim[0] - x, aim[1] - y);
			if (!mine || Math.hypot(mine[0] - goal[0], mine[1] - goal[1]) < this.radius) break;
			aim = this.#beside(x, y, mine, aim);
		}
		return aim;
	}

	/** The point beside a mine with the shortest way over it to the goal. @param {number} x @param {number} y @param {Vector} mine @param {Vector} goal */
	#beside(x, y, mine, goal) {
		const across = direction(mine[1] - y, x - mine[0], this.radius * 1.25);
		const sides = [1, -1].map((side) => /** @type {Vector} */ ([mine[0] + side * across[0], mine[1] + side * across[1]]));
		const detour = (/** @type {Vector} */ [px, py]) =>
			// A point inside a wall or another mine is the last resort.
			Math.hypot(px - x, py - y) + Math.hypot(goal[0] - px, goal[1] - py) + (this.clearance(px, py) <= 0 ? 10 : 0);
		return /** @type {Vector} */ (minBy(sides, detour));
	}
}
