/** One match: keeps the connection and hands what it hears to the board. */

import { Board } from "./board.js";
import { Feed } from "./connection.js";
import { make } from "./dom.js";
import { gamePage, gameWords } from "./games.js";
import { backLink, message } from "./parts.js";
import { words } from "./words.js";

/** @typedef {import("../types.js").MatchStart} MatchStart */
/** @typedef {import("./connection.js").FeedState} FeedState */

const text = words.viewer;

export class Viewer {
	/**
	 * @param {string} match
	 * @param {(state: FeedState, retry: () => void) => void} showState
	 * @param {any[]} [messages] of a match that is all here; then no server is asked
	 */
	constructor(match, showState, messages) {
		this.match = match;
		this.element = make("section", {
			class: "viewer",
			"data-testid": "viewer",
			"data-match": match,
			"data-phase": "loading",
		});
		this.element.append(messages ? "" : backLink(), message(text.loading));
		document.addEventListener("visibilitychange", () => document.hidden || this.#board?.catchUp(), {
			signal: this.#listening.signal,
		});
		if (messages) void this.#playAll(messages, showState);
		else this.#connect(showState);
	}

	/** @type {Feed | null} */
	#feed = null;
	#listening = new AbortController();
	/** @type {Board | null} */
	#board = null;
	#lineUp = "";
	/** What has come while the game's part of the page was on its way. @type {any[] | null} */
	#waiting = null;

	/** @param {(state: FeedState, retry: () => void) => void} showState */
	#connect(showState) {
		this.#feed = new Feed(`watch/${encodeURIComponent(this.match)}`, {
			message: (heard) => this.#hear(heard),
			state: (state) => this.#connectionChanged(state, showState),
		});
	}

	close() {
		this.#listening.abort();
		this.#feed?.close();
		this.#board?.close();
	}

	/** The state last drawn, for tests and for whoever embeds the page. */
	snapshot() {
		return this.#board?.snapshot() ?? { match: this.match, phase: this.element.dataset.phase };
	}

	/** @param {string} what @param {any} [value] */
	press(what, value) {
		this.#board?.press(what, value);
	}

	/** @param {any} heard */
	#hear(heard) {
		if (this.#waiting) return void this.#waiting.push(heard);
		switch (heard.type) {
			case "match_start":
				return void this.#start(heard);
			case "frame":
				return this.#board?.push(heard);
			case "match_end":
				this.#board?.end(heard);
				return this.#feed?.close();
			case "error":
				return void this.#checkExists();
		}
	}

	/** @param {MatchStart} start @param {import("./board.js").Mode} [mode] */
	async #start(start, mode) {
		// After a reconnection the match goes on where it is. Another line-up, before the first tick, is built anew.
		const lineUp = JSON.stringify(start.seats.map((seat) => seat.name));
		if (this.#board && lineUp === this.#lineUp) return;
		this.#waiting = [];
		const game = await gamePage(start.game);
		if (this.#listening.signal.aborted) return;
		this.#board?.close();
		this.#lineUp = lineUp;
		this.#board = new Board(game, start, this.element, mode);
		document.title = `${gameWords(start.game).title} · ${words.title}`;
		const heard = this.#waiting;
		this.#waiting = null;
		for (const message of heard) this.#hear(message);
	}

	/** @param {any[]} messages @param {(state: FeedState, retry: () => void) => void} showState */
	async #playAll([start, ...rest], showState) {
		showState("closed", () => {});
		await this.#start(start, { offline: true });
		for (const message of rest) this.#hear(message);
	}

	/** @param {FeedState} state @param {(state: FeedState, retry: () => void) => void} showState */
	#connectionChanged(state, showState) {
		showState(state, () => this.#feed?.retry());
		if (state === "lost" && !this.#board) void this.#checkExists();
	}

	/** A WebSocket does not say why it was refused, so ask the API. */
	async #checkExists() {
		const answer = await fetch(`api/matches/${encodeURIComponent(this.match)}`).catch(() => null);
		if (answer?.status !== 404 || this.#board || this.#listening.signal.aborted) return;
		this.#feed?.close();
		this.element.dataset.phase = "unknown";
		this.element.replaceChildren(backLink(), message(text.unknown, text.unknownHint));
	}
}
