/** A stream of messages for spectators that comes back by itself. */

import { SUBPROTOCOL } from "./version.js";

/** @typedef {"connecting" | "open" | "lost" | "closed"} State */

/**
 * @typedef {object} FeedHandlers
 * @property {(message: any) => void} message takes what the server says (`SpectatorMessage`)
 * @property {(state: State) => void} state learns how the connection is
 */

/** The first wait before another attempt, and the longest; they double. */
const FIRST_MS = 500;
const LONGEST_MS = 10_000;

/**
 * The WebSocket address of a path relative to a page, so that any prefix and TLS proxy works (P1.1).
 * @param {string} path @param {string} base the address of the page
 */
export function socketUrl(path, base) {
	const url = new URL(path, base);
	url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
	return url.href;
}

/** What a spectator hears: of the lobby (`…/watch`) or of a match (`…/watch/MATCH`). */
export class Feed {
	/** @param {string} url the WebSocket address @param {FeedHandlers} handlers */
	constructor(url, handlers) {
		this.#url = url;
		this.#handlers = handlers;
		this.#connect();
	}

	#url;
	#handlers;
	/** @type {WebSocket | null} */
	#socket = null;
	/** @type {State} */
	#state = "connecting";
	#failures = 0;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	#timer;

	/** Try again now instead of at the end of the wait. */
	retry() {
		if (this.#state === "lost") this.#connect();
	}

	/** The line is known to be dead: do not wait for the proof of it. */
	drop() {
		this.#socket?.close();
	}

	/** The stream is over or not wanted any more: no return. */
	close() {
		this.#enter("closed");
		clearTimeout(this.#timer);
		this.#socket?.close();
	}

	#connect() {
		clearTimeout(this.#timer);
		this.#enter("connecting");
		const socket = new WebSocket(this.#url, SUBPROTOCOL);
		this.#socket = socket;
		socket.onopen = () => this.#enter("open");
		socket.onmessage = (event) => this.#receive(String(event.data));
		socket.onclose = () => socket === this.#socket && this.#lose();
	}

	/** @param {string} text */
	#receive(text) {
		if (this.#state === "closed") return;
		this.#failures = 0;
		this.#handlers.message(JSON.parse(text));
	}

	#lose() {
		this.#socket = null;
		if (this.#state === "closed") return;
		// Spread over half the wait, so that a lecture hall does not come back in one blow.
		const wait = Math.min(FIRST_MS * 2 ** this.#failures, LONGEST_MS) * (1 - Math.random() / 2);
		this.#failures += 1;
		this.#timer = setTimeout(() => this.retry(), wait);
		this.#enter("lost");
	}

	/** @param {State} state */
	#enter(state) {
		if (this.#state === "closed" || (this.#state === state && state !== "connecting")) return;
		this.#state = state;
		this.#handlers.state(state);
	}
}
