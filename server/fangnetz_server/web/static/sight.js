/** What the bot on one seat sees, from the server: it alone knows the rule (R8, P3.6). */

import { Feed } from "./connection.js";
import { Loader } from "./history.js";
import { Film } from "./timeline/film.js";

/** @typedef {import("../types.js").Frame} Frame */

export class Sight {
	/**
	 * @param {string} match
	 * @param {number} seat
	 * @param {boolean} live whether more is to come
	 * @param {() => void} changed
	 */
	constructor(match, seat, live, changed) {
		this.seat = seat;
		this.#loader = new Loader(match, this.#film, changed, `seat:${seat}`);
		if (!live) return;
		let heard = false;
		this.#feed = new Feed(`watch/${encodeURIComponent(match)}?view=seat:${seat}`, {
			message: (message) => {
				heard = true;
				if (message.type === "frame") this.#film.push(message);
				if (message.type === "match_end") this.#feed?.close();
				changed();
			},
			// The host may allow no such view, and a WebSocket does not say why it was refused.
			state: (state) => state === "lost" && !heard && this.#feed?.close(),
		});
	}

	#film = new Film();
	#loader;
	/** @type {Feed | null} */
	#feed = null;

	/** The frame of a tick, as the bot got it; it is loaded if it is not there. @param {number} tick */
	at(tick) {
		const frame = this.#film.at(tick);
		if (!frame && (!this.#feed || tick < this.#film.last)) {
			this.#film.last = Math.max(this.#film.last, tick);
			this.#loader.need(tick);
		}
		return frame ?? null;
	}

	close() {
		this.#feed?.close();
		this.#loader.close();
	}
}
