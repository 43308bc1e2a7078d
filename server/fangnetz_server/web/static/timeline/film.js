/** Pure: the frames and events of a match that are at hand: all of it thinly, and densely where somebody looks. */

import { LONGEST_GAP_TICKS } from "./interpolate.js";

/** @typedef {import("../../types.js").Frame} Frame */
/** @typedef {import("../../types.js").GameEvent} GameEvent */
/** @typedef {{tick: number, event: GameEvent}} Happening */

/** Ticks that come and go together. */
export const PIECE = 128;
/** Pieces kept densely. */
const DENSE = 16;
/** Frames kept of the whole match, about. */
const THIN = 400;
/** Ticks whose main events are kept. */
const MOST_TOLD = 10_000;
/** Ticks whose failed steps are looked through at a time. */
const LOOK = 4000;

export class Film {
	/** @param {(event: GameEvent) => boolean} [isDetail] tells which events need not be kept for good */
	constructor(isDetail = () => false) {
		this.#isDetail = isDetail;
	}

	#isDetail;
	/** By tick. @type {(Frame | undefined)[]} */
	#frames = [];
	/** Dense pieces; the one used last is the last. @type {Set<number>} */
	#dense = new Set();
	/** @type {Map<number, GameEvent[]>} */
	#events = new Map();
	/** @type {number[] | null} */
	#marks = null;
	/** Frames taken in so far: whoever draws them knows by it whether there are others. */
	count = 0;
	/** The newest tick known. */
	last = -1;
	/** Everything is kept: there is no server to ask again. */
	whole = false;
	/** Only these ticks are kept for good: the multiples of it. */
	every = 1;

	/** The newest frame. @returns {Frame | null} */
	get latest() {
		return this.#frames[this.last] ?? null;
	}

	/** @param {number} tick */
	at(tick) {
		return this.#frames[tick];
	}

	/** The ticks of the main events, in order. */
	get marks() {
		this.#marks ??= [...this.#events.keys()].sort((a, b) => a - b);
		return this.#marks;
	}

	/** Take in a frame. @param {Frame & {passed?: (GameEvent & {tick: number})[]}} frame */
	push(frame) {
		this.#frames[frame.tick] = frame;
		if (frame.tick % this.every === 0) this.count += 1;
		this.last = Math.max(this.last, frame.tick);
		for (const event of frame.passed ?? []) this.#note(event.tick, event);
		if (!this.#events.has(frame.tick)) for (const event of frame.events ?? []) this.#note(frame.tick, event);
		if (this.last > 2 * THIN * this.every && !this.whole) this.thin(this.every * 2);
		if (frame.tick % this.every) this.#use(Math.floor(frame.tick / PIECE));
	}

	/**
	 * Take in a frame of the history. Unlike one that came live it does not hold who was connected,
	 * so it never takes the place of that one. @param {Frame & {passed?: (GameEvent & {tick: number})[]}} frame
	 */
	fill(frame) {
		this.push({ ...frame, ...this.#frames[frame.tick] });
	}

	/** The step between the frames of an overview of the match so far. */
	get step() {
		return Math.max(this.every, Math.ceil(this.last / THIN));
	}

	/** Keep only these ticks for good. @param {number} every */
	thin(every) {
		this.every = every;
		this.#frames.forEach((_, tick) => {
			if (tick % every && tick !== this.last) this.#use(Math.floor(tick / PIECE));
		});
	}

	/** The two frames around a position in ticks, and how far it is between them. @param {number} position */
	sample(position) {
		const tick = this.#before(position);
		const before = this.#frames[tick];
		if (!before) return null;
		for (let next = tick + 1; position > tick && next <= tick + LONGEST_GAP_TICKS; next += 1) {
			const after = this.#frames[next];
			if (after) return { before, after, fraction: (position - tick) / (next - tick) };
		}
		// A line drawn through a longer hole would be made up.
		return { before, after: before, fraction: 0 };
	}

	/** The frames up to a position, oldest first. @param {number} position @param {number} count */
	trail(position, count) {
		const end = Math.floor(position) + 1;
		return this.#frames.slice(Math.max(0, end - count), end).filter((frame) => frame !== undefined);
	}

	/** The frames of the whole match at the distance of the overview. */
	overview() {
		const step = this.every * Math.max(1, Math.floor(this.last / (THIN * this.every)));
		const found = [];
		for (let tick = 0; tick < this.last; tick += step) {
			const frame = this.#frames[tick];
			if (frame) found.push(frame);
		}
		return this.latest ? [...found, this.latest] : found;
	}

	/**
	 * The stretch to load before the moment at a position can be shown exactly; null: it can.
	 * @param {number} position
	 */
	missing(position) {
		const tick = Math.floor(Math.min(position, this.last));
		const piece = Math.floor(tick / PIECE);
		if (this.#dense.has(piece)) this.#use(piece);
		if (this.#frames[tick] && (tick >= this.last || this.#frames[tick + 1])) return null;
		return { from: piece * PIECE, to: piece * PIECE + PIECE };
	}

	/**
	 * The events after one tick and up to another. Where the frames are thin, only the main ones are known.
	 * @param {number} after
	 * @param {number} until
	 * @returns {Happening[]}
	 */
	between(after, until) {
		const found = [];
		for (let tick = Math.max(after, until - LOOK, -1) + 1; tick <= until; tick += 1) {
			const events = this.#frames[tick]?.events ?? this.#events.get(tick) ?? [];
			for (const event of events) found.push({ tick, event });
		}
		return found;
	}

	/** The newest main events up to a tick, oldest first. @param {number} until @param {number} most @returns {Happening[]} */
	told(until, most) {
		const ticks = this.marks.filter((tick) => tick <= until).slice(-most);
		return ticks.flatMap((tick) => (this.#events.get(tick) ?? []).map((event) => ({ tick, event })));
	}

	/** @param {number} tick @param {GameEvent} event */
	#note(tick, event) {
		if (this.#isDetail(event)) return;
		const known = this.#events.get(tick);
		if (known?.some((other) => other.kind === event.kind && other.seat === event.seat)) return;
		if (known) known.push(event);
		else this.#events.set(tick, [event]);
		if (this.#events.size > MOST_TOLD) this.#events.delete(this.#events.keys().next().value ?? 0);
		this.#marks = null;
	}

	/** A piece is looked at; the one not looked at for the longest time gets thin. @param {number} piece */
	#use(piece) {
		this.#dense.delete(piece);
		this.#dense.add(piece);
		if (this.#dense.size <= DENSE) return;
		const [oldest] = this.#dense;
		this.#dense.delete(oldest);
		for (let tick = oldest * PIECE; tick < (oldest + 1) * PIECE; tick += 1) {
			if (tick % this.every && tick !== this.last) delete this.#frames[tick];
		}
	}

	/** The tick of the last frame at or before a position; -1: there is none. @param {number} position */
	#before(position) {
		let tick = Math.min(Math.floor(position), this.last);
		while (tick >= 0 && !this.#frames[tick]) tick -= 1;
		return tick;
	}
}
