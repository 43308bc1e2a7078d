/** Pure: which moment of a match is shown, live or at a pace of its own. */

import { clamp } from "../geometry.js";
import { LiveClock } from "./clock.js";

/** @typedef {import("./film.js").Film} Film */

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** Until the first frames tell, a lockstep match is taken to be this fast. */
const LOCKSTEP_MS = 100;
/** A picture that comes later than this, such as after a time in the background, moves no farther. */
const LONGEST_PICTURE_MS = 250;

export class Player {
	/** @param {Film} film @param {{pace: string, tick_ms: number}} start */
	constructor(film, start) {
		this.film = film;
		this.#tickMs = start.tick_ms || LOCKSTEP_MS;
		this.clock = new LiveClock(start.pace === "realtime" ? this.#tickMs : LOCKSTEP_MS);
	}

	#tickMs;
	#shownAt = 0;
	#position = 0;
	/** At the newest moment, and staying there. */
	live = true;
	playing = false;
	speed = 1;
	/** No more frames will come. */
	over = false;

	/** In ticks. */
	get position() {
		return this.live ? this.clock.position : this.#position;
	}

	get atEnd() {
		return this.position >= this.film.last;
	}

	/** @param {import("../../types.js").Frame} frame @param {number} now milliseconds */
	push(frame, now) {
		this.film.push(frame);
		this.clock.arrive(frame.tick, now);
	}

	/** Move on to this moment and return the position. @param {number} now milliseconds */
	advance(now) {
		const passed = clamp(now - this.#shownAt, 0, LONGEST_PICTURE_MS);
		this.#shownAt = now;
		this.clock.advance(now);
		if (!this.live && this.playing) {
			this.#position = Math.min(this.film.last, this.#position + (passed * this.speed) / this.#tickMs);
			if (this.#position >= this.film.last) this.#arrive();
		}
		return this.position;
	}

	/** At the end of what is known: a live match goes on live. */
	#arrive() {
		this.playing = false;
		this.live = true;
		this.clock.jump();
	}

	/** Go to a moment, and stay in the past. @param {number} tick */
	seek(tick) {
		this.#position = clamp(tick, 0, Math.max(0, this.film.last));
		this.live = false;
	}

	/** Some ticks on or back, without moving. @param {number} ticks */
	step(ticks) {
		const from = ticks > 0 ? Math.floor(this.position) : Math.ceil(this.position);
		this.pause();
		this.seek(from + ticks);
	}

	/** To the next event, or the one before. @param {1 | -1} way @returns whether there is one */
	jump(way) {
		const { marks } = this.film;
		const at = Math.floor(this.position);
		const tick = way > 0 ? marks.find((mark) => mark > at) : marks.findLast((mark) => mark < at);
		if (tick === undefined) return false;
		this.seek(tick);
		return true;
	}

	pause() {
		if (this.live) this.seek(this.position);
		this.playing = false;
	}

	/** From the end of a finished match it begins anew. */
	play() {
		if (this.live && this.over) this.seek(0);
		this.playing = !this.live;
	}

	toggle() {
		if (this.moving) this.pause();
		else this.play();
	}

	get moving() {
		return this.playing || (this.live && !this.over);
	}

	goLive() {
		this.#arrive();
	}
}
