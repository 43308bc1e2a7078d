/** A stream of messages from the server that comes back by itself. */

/** The subprotocol (P1.2). */
export const PROTOCOL = "fangnetz.v1";

/** Waits before each attempt in a row; the last one repeats. */
const RETRY_MS = [400, 800, 1600, 3200, 6400, 10000];

/**
 * @typedef {"connecting" | "open" | "lost" | "closed"} FeedState
 * @typedef {object} FeedHandlers
 * @property {(message: any) => void} message
 * @property {(state: FeedState) => void} state
 */

/**
 * The WebSocket address of a path relative to the page, so that any prefix and TLS proxy works (P1.1).
 * @param {string} path
 * @param {string} base
 */
export function socketUrl(path, base) {
	const url = new URL(path, base);
	url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
	return url.href;
}

export class Feed {
	/** @param {string} path @param {FeedHandlers} handlers */
	constructor(path, handlers) {
		this.#url = socketUrl(path, document.baseURI);
		this.#handlers = handlers;
		const options = { signal: this.#listening.signal };
		addEventListener("online", () => this.retry(), options);
		addEventListener("offline", () => this.#socket?.close(), options);
		addEventListener("pageshow", () => this.retry(), options);
		document.addEventListener("visibilitychange", () => document.hidden || this.retry(), options);
		this.#connect();
	}

	#url;
	#handlers;
	#listening = new AbortController();
	/** @type {WebSocket | null} */
	#socket = null;
	/** @type {FeedState} */
	#state = "connecting";
	#failures = 0;
	#timer = 0;

	/** Try again now instead of at the end of the wait. */
	retry() {
		if (this.#state === "lost") this.#connect();
	}

	/** The stream is over or not wanted any more: no return. */
	close() {
		this.#enter("closed");
		clearTimeout(this.#timer);
		this.#listening.abort();
		this.#socket?.close();
	}

	#connect() {
		clearTimeout(this.#timer);
		this.#enter("connecting");
		const socket = new WebSocket(this.#url, PROTOCOL);
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
		const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)];
		this.#failures += 1;
		// Spread over half the wait, so that a lecture hall does not come back in one blow.
		this.#timer = window.setTimeout(() => this.retry(), wait * (0.75 + Math.random() / 2));
		this.#enter("lost");
	}

	/** @param {FeedState} state */
	#enter(state) {
		if (this.#state === "closed" || (this.#state === state && state !== "connecting")) return;
		this.#state = state;
		this.#handlers.state(state);
	}
}
