/** The SDK's stream of messages on this page: it knows when the browser is on line, and when somebody looks. */

import { Feed as Stream, socketUrl } from "./sdk/feed.js";

/** @typedef {import("./sdk/feed.js").State} FeedState */

export class Feed extends Stream {
	/** @param {string} path @param {import("./sdk/feed.js").FeedHandlers} handlers */
	constructor(path, handlers) {
		super(socketUrl(path, document.baseURI), handlers);
		const options = { signal: this.#listening.signal };
		addEventListener("online", () => this.retry(), options);
		addEventListener("offline", () => this.drop(), options);
		addEventListener("pageshow", () => this.retry(), options);
		document.addEventListener("visibilitychange", () => document.hidden || this.retry(), options);
	}

	#listening = new AbortController();

	close() {
		super.close();
		this.#listening.abort();
	}
}
