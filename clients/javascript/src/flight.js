/**
 * How a ball flies: what every Spaceballs bot needs to steer with inertia and not to crash.
 *
 * All lengths are in field widths, times in seconds; y points upwards. Vectors are pairs [x, y]. Nothing here knows
 * a match: sizes and the acceleration come in, so it holds for any ruleset.
 */

/** @typedef {[x: number, y: number]} Vector */
/** @typedef {{x: number, y: number, vx: number, vy: number}} Moving Anything that flies, such as a ball of an observation. */

/** Seconds a step (rules B2.1). */
export const DT = 0.01;
/** Time with which a search for a time begins, about a tick. */
const SHORTEST = 0.05;
/** Share of the thrust up to which a time is searched. */
const EXACT = 2e-3;
/** Trials after which an approximate time will do. */
const TRIALS = 12;
/** Trials after which any search ends. */
const MOST_TRIALS = 60;
/** Distance up to which a target counts as reached when times are searched. */
const CLOSE_ENOUGH = 1e-3;

/** Where a ball is and how fast it flies. */
export class Motion {
	/** @param {number} x @param {number} y @param {number} vx @param {number} vy */
	constructor(x, y, vx, vy) {
		this.x = x;
		this.y = y;
		this.vx = vx;
		this.vy = vy;
	}

	/** Size of the velocity. */
	get speed() {
		return Math.hypot(this.vx, this.vy);
	}

	/**
	 * The motion after so many steps of one acceleration. It is the rule B2.3 (v += a*dt, then p += v*dt) summed up; it
	 * differs from the server's step by step result only in the last bits.
	 * @param {Vector} acceleration @param {number} steps
	 */
	after([ax, ay], steps) {
		const time = steps * DT;
		const share = (DT * DT * steps * (steps + 1)) / 2;
		return new Motion(
			this.x + this.vx * time + ax * share,
			this.y + this.vy * time + ay * share,
			this.vx + ax * time,
			this.vy + ay * time,
		);
	}

	/** The motions after 1, 2, … ticks of one acceleration. @param {Vector} acceleration @param {number} ticks @param {number} stepsPerTick */
	path(acceleration, ticks, stepsPerTick) {
		return Array.from({ length: ticks }, (_, tick) => this.after(acceleration, (tick + 1) * stepsPerTick));
	}
}

/** The motion of a ball of an observation. @param {Moving} ball */
export function motionOf({ x, y, vx, vy }) {
	return new Motion(x, y, vx, vy);
}

/** The vector with the same direction and this length; (0, 0) stays. @param {number} x @param {number} y @param {number} [length] @returns {Vector} */
export function direction(x, y, length = 1) {
	const size = Math.hypot(x, y);
	return size > 0 ? [(x / size) * length, (y / size) * length] : [0, 0];
}

/** So many directions all round, each of length 1, turned by a share of the angle between two. @param {number} count @param {number} [turn] */
export function compass(count, turn = 0) {
	return Array.from({ length: count }, (_, number) => {
		const angle = (2 * Math.PI * (number + turn)) / count;
		return /** @type {Vector} */ ([Math.cos(angle), Math.sin(angle)]);
	});
}

/** The way from this speed to rest with full thrust against the motion. @param {number} speed @param {number} thrust */
export function brakingDistance(speed, thrust) {
	return (speed * speed) / (2 * thrust);
}

/**
 * The time until two circles with constant velocities touch, or null if they never do.
 * @param {number} dx @param {number} dy from one centre to the other
 * @param {number} vx @param {number} vy velocity of the other, seen from the one
 * @param {number} reach sum of both radii
 */
export function contactTime(dx, dy, vx, vy, reach) {
	const distance2 = dx * dx + dy * dy - reach * reach;
	if (distance2 <= 0) return 0;
	const closing = -(dx * vx + dy * vy);
	const speed2 = vx * vx + vy * vy;
	// |d + v t| = reach is a quadratic equation; its smaller root is the first contact.
	const inside = closing * closing - speed2 * distance2;
	return closing <= 0 || inside < 0 ? null : distance2 / (closing + Math.sqrt(inside));
}

/**
 * The least time to come within reach of a target with one steady thrust, at any final speed.
 *
 * Within time t a ball can get anywhere in a circle of radius thrust*t²/2 round the point to which it would coast;
 * the answer is the first t at which that circle meets the target. With the velocity relative to a coasting
 * opponent it is the time to intercept him. It is exact to some hundredths.
 * @param {number} dx @param {number} dy from the ball to the target
 * @param {number} vx @param {number} vy velocity of the ball, seen from the target
 * @param {number} thrust size of the acceleration
 * @param {number} [reach] distance at which the target counts as reached, such as the sum of the radii
 */
export function timeToReach(dx, dy, vx, vy, thrust, reach = 0) {
	const speed = Math.hypot(vx, vy);
	let time = 0;
	for (let trial = 0; trial < MOST_TRIALS; trial++) {
		const [toX, toY] = [dx - vx * time, dy - vy * time];
		const distance = Math.hypot(toX, toY);
		const gap = distance - reach - (thrust / 2) * time * time;
		if (Math.abs(gap) <= CLOSE_ENOUGH || (gap < 0 && time === 0)) break;
		const falling = (toX * vx + toY * vy) / (distance || 1) + thrust * time;
		if (gap < 0) {
			time += gap / Math.max(falling, (thrust * time) / 2);
			continue;
		}
		// The gap falls no faster than by flying and thrusting straight at the target, so this step never jumps over the
		// first solution. Newton's step may be twice as long: what it jumps over at worst is so near that the next step
		// comes back to it.
		const fastest = speed + thrust * time;
		const step = (Math.sqrt(fastest * fastest + 2 * thrust * gap) - fastest) / thrust;
		time += falling > 0 ? Math.max(step, Math.min(gap / falling, 2 * step)) : step;
	}
	return time;
}

/**
 * The direction of the steady thrust of `timeToReach`, with the length 1.
 * @param {number} dx @param {number} dy @param {number} vx @param {number} vy @param {number} thrust @param {number} [reach]
 */
export function thrustToReach(dx, dy, vx, vy, thrust, reach = 0) {
	const time = timeToReach(dx, dy, vx, vy, thrust, reach);
	return direction(dx - vx * time, dy - vy * time);
}

/**
 * About the least time from one motion to another: at that place with that velocity. It is the least time for two
 * steady thrusts, one for each half of the flight; the best of all flights is a few hundredths faster.
 * @param {Moving} start @param {Moving} end @param {number} thrust
 */
export function timeBetween(start, end, thrust) {
	const [dx, dy] = [end.x - start.x, end.y - start.y];
	const [gainX, gainY] = [end.vx - start.vx, end.vy - start.vy];
	let time = Math.max(Math.hypot(gainX, gainY) / thrust, SHORTEST);
	for (let trial = 0; trial < MOST_TRIALS; trial++) {
		// With the accelerations a and b: (a + b) / 2 * t is the gain of velocity, and (3 * a + b) / 8 * t² the way beyond
		// coasting. So much of each is needed for this time:
		const [sumX, sumY] = [(2 * gainX) / time, (2 * gainY) / time];
		const share = 8 / (time * time);
		const [wayX, wayY] = [(dx - start.vx * time) * share, (dy - start.vy * time) * share];
		const first = Math.hypot(wayX - sumX, wayY - sumY);
		const second = Math.hypot(3 * sumX - wayX, 3 * sumY - wayY);
		const needed = Math.max(first, second) / (2 * thrust);
		if (Math.abs(needed - 1) < EXACT || (needed < 1 && trial > TRIALS)) break;
		// It falls about with the square of the time. Where it does not, longer times are tried.
		time *= trial <= TRIALS ? Math.min(1.5, Math.max(0.8, Math.sqrt(needed))) : 1.1;
	}
	return time;
}

/** A flight from one motion to another in two halves, each with a steady thrust. */
export class Flight {
	/** @param {Moving} start @param {Moving} end @param {number} time */
	constructor(start, end, time) {
		this.start = start;
		this.end = end;
		this.time = time;
	}

	/** The flight of `timeBetween`. @param {Moving} start @param {Moving} end @param {number} thrust */
	static between(start, end, thrust) {
		return new Flight(start, end, timeBetween(start, end, thrust));
	}

	/** Where the ball is after half of the time. @returns {Vector} */
	get middle() {
		const { start, end, time } = this;
		return [
			(start.x + end.x) / 2 + ((start.vx - end.vx) * time) / 8,
			(start.y + end.y) / 2 + ((start.vy - end.vy) * time) / 8,
		];
	}

	/** The motion after so many seconds; after the end it coasts. @param {number} time */
	at(time) {
		const half = this.time / 2;
		if (time < half) return this.#from(this.start, time, half);
		// The second half is the first one of the flight backwards.
		const { x, y, vx, vy } = this.end;
		const back = this.#from({ x, y, vx: -vx, vy: -vy }, Math.max(this.time - time, 0), half);
		return new Motion(back.x, back.y, -back.vx, -back.vy);
	}

	/** @param {Moving} start @param {number} time @param {number} half */
	#from(start, time, half) {
		const [x, y] = this.middle;
		// From rest at the start: way a*t²/2 beyond coasting, and so a from the way to the middle.
		const share = (time / half) ** 2;
		const ax = (x - start.x - start.vx * half) * share;
		const ay = (y - start.y - start.vy * half) * share;
		return new Motion(
			start.x + start.vx * time + ax,
			start.y + start.vy * time + ay,
			start.vx + (2 * ax) / Math.max(time, 1e-9),
			start.vy + (2 * ay) / Math.max(time, 1e-9),
		);
	}
}
