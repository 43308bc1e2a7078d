/** Play: connect, greet, serve, and come back when the connection breaks. */

import { DEFAULT_SERVER, playUrl } from "./address.js";
import { Backoff } from "./backoff.js";
import { explain } from "./explain.js";
import { Link } from "./link.js";
import { ConnectionLost, Problem, Refused, Unreachable, WrongUse } from "./problems.js";
import { BotSource, Table } from "./table.js";
import { PROTOCOL_VERSION, SUBPROTOCOL, VERSION } from "./version.js";

/** @typedef {import("../types/messages.js").MatchEnd} MatchEnd */
/** @typedef {import("./feed.js").State} State */

/**
 * @typedef {object} PlayOptions
 * @property {string} [token] the bot's credential, where the host gave one
 * @property {string} [name] name to show; left out: the name of the bot's class
 * @property {number} [matches] return after that many finished matches; left out: play on until the server says good-bye
 * @property {AbortSignal} [signal] ends the play, with a closing handshake
 * @property {import("./player.js").Log} [log] where news and faults go; left out: the console
 * @property {(state: State, retry: () => void) => void} [state] learns how the connection is; `retry` ends a wait
 * @property {Backoff} [backoff] waits between attempts to connect again
 * @property {() => number} [chance] where the jitter of the waits comes from
 * @property {(ms: number) => Promise<void>} [sleep] in place of a timer, for tests
 */

/**
 * What differs between browsers and Node.
 * @typedef {object} Means
 * @property {typeof WebSocket} WebSocket
 * @property {(url: string) => Promise<Problem>} explain why no connection came about
 */

/** Time for TCP, TLS and the upgrade. */
const OPEN_MS = 10_000;

/** Plays with one name on one server; it lasts longer than its connections. */
class Client {
	/**
	 * @param {BotSource} source
	 * @param {string} server
	 * @param {PlayOptions} options
	 * @param {Means} means
	 */
	constructor(source, server, options, means) {
		this.#url = playUrl(server);
		this.#source = source;
		this.#options = options;
		this.#means = means;
		this.#log = options.log ?? console;
		this.#table = new Table(source, options.matches ?? Infinity, this.#log);
	}

	#url;
	#source;
	#options;
	#means;
	#log;
	#table;
	/** @type {string | undefined} */
	#resume;
	/** Empty before the first welcome: a wrong address shall be told at once. @type {Iterator<number, void>} */
	#waits = [].values();
	/** Ends the wait before the next attempt. */
	#wake = () => {};

	async play() {
		try {
			await this.#playOn();
		} finally {
			this.#state("closed");
		}
		return this.#table.results;
	}

	/** Play over one connection after the other. */
	async #playOn() {
		while (!this.#table.done) {
			try {
				await this.#playOnce();
			} catch (error) {
				if (!(error instanceof Problem)) throw error;
				if (this.#isFarewell(error)) break;
				if (this.#hasForgotten(error)) continue;
				const wait = error.mayPass ? this.#waits.next().value : undefined;
				if (wait === undefined) throw error;
				this.#log.warn(`${error.message}; trying again in ${(wait / 1000).toFixed(1)} s`);
				this.#state("lost");
				await this.#pause(wait);
			}
		}
	}

	/**
	 * Tell whether the server is there, but not the session: no reason to wait before a new one.
	 * @param {Problem} error
	 */
	#hasForgotten(error) {
		if (!(error instanceof Refused) || error.code !== "unknown_resume" || this.#resume === undefined) return false;
		this.#log.info("the server has started anew; so does the session");
		this.#resume = undefined;
		return true;
	}

	/** Play over one connection until the table is done. */
	async #playOnce() {
		this.#options.signal?.throwIfAborted();
		this.#state("connecting");
		const link = new Link(await this.#connect(), this.#table, this.#log);
		const playing = link.play(this.#hello(), (welcome) => this.#takeWelcome(welcome));
		try {
			await this.#untilAborted(playing);
		} finally {
			await link.close();
		}
	}

	/** @returns {Promise<WebSocket>} */
	async #connect() {
		const socket = this.#open();
		let timer;
		const opening = new Promise((resolve) => {
			socket.onopen = () => resolve("open");
			socket.onclose = () => resolve("refused");
			socket.onerror = () => resolve("refused");
			timer = setTimeout(() => resolve("silent"), OPEN_MS);
		});
		try {
			const outcome = await this.#untilAborted(opening);
			if (outcome === "open") return socket;
			throw outcome === "silent" ? new Unreachable(this.#url, "no answer in time") : await this.#means.explain(this.#url);
		} catch (error) {
			socket.close();
			throw error;
		} finally {
			clearTimeout(timer);
		}
	}

	#open() {
		try {
			return new this.#means.WebSocket(this.#url, SUBPROTOCOL);
		} catch (error) {
			// A page that came by https may not use ws://, for one.
			throw new WrongUse(`cannot connect to ${this.#url}: ${error instanceof Error ? error.message : error}`);
		}
	}

	/** @template T @param {Promise<T>} work @returns {Promise<T>} */
	#untilAborted(work) {
		const signal = this.#options.signal;
		if (!signal) return work;
		return new Promise((resolve, reject) => {
			const abort = () => reject(signal.reason);
			signal.addEventListener("abort", abort);
			void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
			if (signal.aborted) abort();
		});
	}

	/** @returns {import("../types/messages.js").Hello} */
	#hello() {
		return {
			type: "hello",
			protocol: PROTOCOL_VERSION,
			token: this.#options.token || undefined,
			name: this.#options.name || this.#source.name,
			client: { name: "fangnetz", version: VERSION, language: "JavaScript" },
			games: [this.#source.game],
			resume: this.#resume,
		};
	}

	/** @param {import("../types/messages.js").Welcome} welcome */
	#takeWelcome(welcome) {
		this.#log.info(`welcome as ${welcome.bot.name} (${welcome.bot.id}) at ${this.#url}`);
		this.#resume = welcome.resume;
		this.#waits = (this.#options.backoff ?? new Backoff()).waits(this.#options.chance);
		if (!welcome.resumed) this.#table.forgetAll();
		this.#state("open");
	}

	/** Whether the server said good-bye after the last match, so that all is done. @param {Problem} problem */
	#isFarewell(problem) {
		const parted = problem instanceof ConnectionLost && problem.code === 1000;
		return parted && this.#resume !== undefined && this.#table.players.size === 0;
	}

	/** @param {State} state */
	#state(state) {
		this.#options.state?.(state, () => this.#wake());
	}

	/** @param {number} ms */
	async #pause(ms) {
		/** @type {ReturnType<typeof setTimeout> | undefined} */
		let timer;
		const woken = new Promise((resolve) => {
			this.#wake = () => resolve(undefined);
			if (!this.#options.sleep) timer = setTimeout(this.#wake, ms);
		});
		const slept = this.#options.sleep?.(ms);
		await this.#untilAborted(Promise.race(slept ? [woken, slept] : [woken])).finally(() => clearTimeout(timer));
	}
}

/**
 * Play matches on a server and return their results.
 *
 * `decide` runs in the event loop; while it works, nothing else of this program does. One that takes longer than
 * the deadline loses its tick and no more. A bot that has to think long makes `decide` async and moves the work
 * away, into a worker.
 *
 * @param {import("./table.js").Playable} bot a bot class or another function that makes a bot, called once a match, so
 *   that several matches can be played at the same time; or one bot, for one at a time
 * @param {string} [server] `ws://HOST:PORT`, also with a path, `wss`, `http` or `https`, or `HOST:PORT`
 * @param {PlayOptions} [options]
 * @param {Means} [means] what differs between browsers and Node
 * @returns {Promise<MatchEnd[]>}
 * @throws {Problem} WrongUse, Unreachable, NotFangnetz, Refused or ConnectionLost, each with one clear line; before
 *   the first welcome nothing is tried again
 */
export async function play(bot, server = DEFAULT_SERVER, options = {}, means = { WebSocket: globalThis.WebSocket, explain }) {
	return new Client(new BotSource(bot), server, options, means).play();
}
