/** A small picture of a live match that moves, for its card in the lobby. */

import { Feed } from "./connection.js";
import { make } from "./dom.js";
import { readPalette } from "./draw/palette.js";
import { gamePage } from "./games.js";

/** Pictures at a time; the other cards wait until one leaves. */
const MOST = 6;
/** Time between two pictures. */
const REST_MS = 200;
const HEIGHT = 150;

/** @type {Set<Thumb>} */
const moving = new Set();

export class Thumb {
	/** @param {string} match */
	constructor(match) {
		this.#match = match;
		this.#watcher.observe(this.element);
		addEventListener("theme", () => (this.#laidOut = false), { signal: this.#listening.signal });
	}

	element = make("canvas", { class: "thumb", "aria-hidden": "true", height: HEIGHT });
	#match;
	#listening = new AbortController();
	#watcher = new IntersectionObserver(([entry]) => this.#seen(entry.isIntersecting));
	/** @type {Feed | null} */
	#feed = null;
	/** @type {import("../types.js").Scene | null} */
	#scene = null;
	/** @type {import("../types.js").Frame | null} */
	#last = null;
	#laidOut = false;
	#paintedAt = -REST_MS;
	#timer = 0;

	close() {
		clearTimeout(this.#timer);
		this.#watcher.disconnect();
		this.#listening.abort();
		this.#seen(false);
	}

	/** @param {boolean} visible */
	#seen(visible) {
		if (visible && !this.#feed && moving.size < MOST) {
			moving.add(this);
			const message = (/** @type {any} */ heard) => void this.#hear(heard);
			this.#feed = new Feed(`watch/${encodeURIComponent(this.#match)}`, { message, state: () => {} });
		} else if (!visible) {
			this.#feed?.close();
			this.#feed = null;
			moving.delete(this);
		}
	}

	/** @param {any} heard */
	async #hear(heard) {
		if (heard.type === "match_start") {
			const seats = heard.seats.map((/** @type {object} */ seat) => ({ ...seat, name: "" }));
			this.#scene = (await gamePage(heard.game)).scene({ ...heard, seats });
			this.element.hidden = !this.#scene;
		} else if (heard.type === "frame") this.#last = heard;
		else if (heard.type === "match_end") this.#seen(false);
		const wait = Math.max(0, this.#paintedAt + REST_MS - performance.now());
		this.#timer ||= window.setTimeout(() => this.#paint(), wait);
	}

	#paint() {
		this.#timer = 0;
		const frame = this.#last;
		const now = performance.now();
		const width = this.element.clientWidth;
		if (!this.#scene || !frame || !width || document.hidden) return;
		const context = this.element.getContext("2d", { alpha: false });
		if (!context) return;
		this.#paintedAt = now;
		this.element.dataset.tick = String(frame.tick);
		const ratio = Math.min(devicePixelRatio || 1, 2);
		if (!this.#laidOut || this.element.width !== Math.round(width * ratio)) {
			this.#laidOut = true;
			this.element.width = Math.round(width * ratio);
			this.element.height = HEIGHT * ratio;
			this.#scene.layout(width, HEIGHT, ratio, readPalette());
		}
		const moment = { before: frame, after: frame, fraction: 0, trail: [], effects: [], now, still: true };
		this.#scene.paint(context, { ...moment, selected: null, follow: false, fog: false, seen: null });
	}
}
