/** Brings what a match was, stretch by stretch, from the server into a film. */

/** @typedef {import("./timeline/film.js").Film} Film */

/** After the network failed it is tried again, but not at once. */
const RETRY_MS = 2000;

export class Loader {
	/**
	 * @param {string} match
	 * @param {Film} film
	 * @param {() => void} changed called after frames have come
	 * @param {string} [view] such as seat:3
	 */
	constructor(match, film, changed, view = "") {
		this.#film = film;
		this.#changed = changed;
		this.#url = `api/matches/${encodeURIComponent(match)}/history?${view && `view=${view}&`}`;
	}

	#film;
	#changed;
	#url;
	#stop = new AbortController();
	#busy = false;
	#closed = false;
	#notBefore = 0;

	/** Whether something is on its way. */
	get busy() {
		return this.#busy;
	}

	/** The whole match, thinly. */
	async overview() {
		const every = this.#film.step;
		this.#film.thin(every);
		await this.#load(`every=${every}&to=${this.#film.last}`);
	}

	/** Load the stretch at a position, and the next one before it is needed. @param {number} position */
	need(position) {
		if (this.#busy || this.#closed || performance.now() < this.#notBefore) return;
		const wanted = this.#film.missing(position) ?? this.#film.missing(position + 64);
		if (wanted) void this.#load(`from=${wanted.from}&to=${wanted.to}`);
	}

	close() {
		this.#closed = true;
		this.#stop.abort();
	}

	/** @param {string} query */
	async #load(query) {
		this.#busy = true;
		try {
			const answer = await fetch(this.#url + query, { signal: this.#stop.signal });
			if (answer.ok && answer.body) await this.#read(answer.body.getReader());
			else if (answer.status === 503) throw new Error("busy");
			else this.#closed = true;
		} catch {
			this.#notBefore = performance.now() + RETRY_MS;
		}
		this.#busy = false;
		if (!this.#stop.signal.aborted) this.#changed();
	}

	/** @param {ReadableStreamDefaultReader<Uint8Array>} reader */
	async #read(reader) {
		const decoder = new TextDecoder();
		let rest = "";
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
			rest = lines.pop() ?? "";
			for (const line of lines) this.#film.fill(JSON.parse(line));
			this.#changed();
		}
	}
}
