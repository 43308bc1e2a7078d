/** Pure: which tick a live viewer shows at a moment. */

import { clamp } from "../geometry.js";

/** A move is shown within this time even if the next frame is long in coming. */
const SLOWEST_MS = 320;
/** A hole in the stream that is longer than this was an outage and says nothing of the pace. */
const OUTAGE_MS = 1500;
/** Weight of the newest arrival in the running mean. */
const WEIGHT = 0.2;

/**
 * Follows the newest frame by about one frame's time, so that there is always a stretch to move along.
 * It never passes the newest frame. Frames may come at any pace and with holes.
 */
export class LiveClock {
	/** @param {number} frameMs the expected time between two frames */
	constructor(frameMs) {
		this.position = 0;
		this.latest = -1;
		this.#frameMs = clamp(frameMs, 1, SLOWEST_MS);
	}

	#frameMs;
	#ticksPerFrame = 1;
	#arrivedAt = 0;
	#shownAt = 0;

	/** A frame has come in. @param {number} tick @param {number} now milliseconds */
	arrive(tick, now) {
		if (this.latest < 0) this.#begin(tick, now);
		if (tick <= this.latest) return;
		if (now - this.#arrivedAt > OUTAGE_MS && tick > this.latest + 1) return this.#begin(tick, now);
		if (this.position >= this.latest) this.#shownAt = Math.max(this.#shownAt, now);
		const wait = clamp(now - this.#arrivedAt, 0, SLOWEST_MS);
		this.#frameMs += WEIGHT * (wait - this.#frameMs);
		this.#ticksPerFrame += WEIGHT * (tick - this.latest - this.#ticksPerFrame);
		this.latest = tick;
		this.#arrivedAt = now;
	}

	/** Move on to this moment and return the position in ticks. @param {number} now milliseconds */
	advance(now) {
		const passed = Math.max(0, now - this.#shownAt);
		this.#shownAt = now;
		const lag = this.latest - this.position;
		if (lag <= 0) return this.position;
		const speed = Math.max(this.#ticksPerFrame, 0.1) / Math.max(this.#frameMs, 0.5);
		// Whoever is more than one frame behind hurries, in proportion.
		const hurry = Math.max(1, lag / this.#ticksPerFrame);
		this.position = Math.min(this.latest, this.position + passed * speed * hurry);
		return this.position;
	}

	/** Go to the newest frame at once: after a pause in the background, and where motion is not wanted. */
	jump() {
		this.position = Math.max(0, this.latest);
	}

	/** @param {number} tick @param {number} now */
	#begin(tick, now) {
		this.latest = tick;
		this.position = tick;
		this.#arrivedAt = now;
		this.#shownAt = now;
	}
}
