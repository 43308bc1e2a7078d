/** For a projector (`?screen`, or `?screen=SECONDS`): live matches in turn, then the lists; nothing to press. */

import { Feed } from "./connection.js";
import { make } from "./dom.js";
import { Lobby } from "./lobby.js";
import { fromAddress } from "./settings.js";
import { Viewer } from "./viewer.js";

/** @typedef {import("../types.js").MatchEntry} MatchEntry */

const TURN_S = 20;

export class Screen {
	/** @param {(state: import("./connection.js").FeedState, retry: () => void) => void} showState */
	constructor(showState) {
		this.#showState = showState;
		this.#feed = new Feed("watch", { message: (heard) => this.#hear(heard), state: () => {} });
		const seconds = Number(fromAddress("screen")) || TURN_S;
		this.#timer = window.setInterval(() => this.#turn(), seconds * 1000);
		this.#turn();
	}

	element = make("div", { "data-testid": "screen" });
	#showState;
	#feed;
	#timer;
	/** @type {Map<string, MatchEntry>} */
	#live = new Map();
	/** The match on show; empty: the lists. */
	#shown = "";
	/** @type {Viewer | Lobby | null} */
	#view = null;

	close() {
		clearInterval(this.#timer);
		this.#feed.close();
		this.#view?.close();
	}

	snapshot() {
		return this.#view?.snapshot() ?? null;
	}

	/** @param {import("../types.js").MatchesMessage} heard */
	#hear(heard) {
		if (heard.type !== "matches") return;
		const idle = this.#live.size === 0;
		for (const entry of heard.matches) {
			if (entry.phase === "over") this.#live.delete(entry.match);
			else this.#live.set(entry.match, entry);
		}
		if (idle && this.#live.size > 0) this.#turn();
	}

	/** Show the next match, after the last one the lists. */
	#turn() {
		const matches = [...this.#live.keys()];
		const next = matches[matches.indexOf(this.#shown) + 1] ?? "";
		if (this.#view && next === this.#shown) return;
		this.#shown = next;
		this.#view?.close();
		this.#view = next ? new Viewer(next, this.#showState) : new Lobby(this.#showState);
		this.element.replaceChildren(this.#view.element);
	}
}
