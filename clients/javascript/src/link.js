/** One connection of a bot: the greeting, then observations in and actions out. */

import { ConnectionLost, Refused, Unreachable } from "./problems.js";

/** @typedef {import("../types/messages.js").BotMessage} BotMessage */
/** @typedef {import("../types/messages.js").ServerMessage} ServerMessage */
/** @typedef {import("../types/messages.js").Welcome} Welcome */
/** @typedef {import("./player.js").Log} Log */
/** @typedef {import("./table.js").Table} Table */

/** Time for the welcome; a server under load may check tokens slowly. */
const WELCOME_MS = 15_000;
/** Time for the closing handshake; nobody wants to wait for it after Ctrl-C. */
const CLOSE_MS = 2_000;
/** After this time at work a newer observation may be there. */
const SLOW_MS = 1;
/** Refusals after which another attempt can do better. */
const PASSING = new Set(["server_full", "unknown_resume", "internal"]);

/** Carries the messages of one connection between the server and the table. */
export class Link {
	/**
	 * @param {WebSocket} socket an open connection to `/play`
	 * @param {Table} table the matches of this client; it outlives the connection
	 * @param {Log} log
	 */
	constructor(socket, table, log) {
		this.#socket = socket;
		this.#table = table;
		this.#log = log;
		socket.onmessage = (event) => this.#receive(event.data);
		socket.onclose = (event) => this.#lose(event.code, event.reason);
	}

	#socket;
	#table;
	#log;
	/** Takes the welcome; null once it has come. @type {((welcome: Welcome) => void) | null} */
	#welcomed = null;
	#end = new Outcome();
	#closed = new Outcome();
	/** Messages that wait until all that has come is read. @type {ServerMessage[]} */
	#inbox = [];
	/** Whether the bot has just worked for so long that newer messages may be there already. */
	#slow = false;
	/** What was logged already. @type {Set<string>} */
	#told = new Set();

	/**
	 * Say hello and play until the table is done.
	 * @param {import("../types/messages.js").Hello} hello
	 * @param {(welcome: Welcome) => void} welcomed called with the welcome, before any match begins
	 * @throws {import("./problems.js").Problem} the server refuses or says nothing, or the connection ended
	 */
	async play(hello, welcomed) {
		const silence = () => this.#end.reject(new Unreachable(this.#socket.url, "the server does not answer the hello"));
		const timer = setTimeout(silence, WELCOME_MS);
		this.#welcomed = (welcome) => {
			clearTimeout(timer);
			welcomed(welcome);
		};
		this.#send(hello);
		try {
			await this.#end.promise;
		} finally {
			clearTimeout(timer);
		}
	}

	/** End the connection with a closing handshake, but do not wait for it for long. */
	async close() {
		this.#socket.close(1000);
		const timer = setTimeout(this.#closed.resolve, CLOSE_MS);
		await this.#closed.promise;
		clearTimeout(timer);
	}

	/** @param {number} code @param {string} reason */
	#lose(code, reason) {
		this.#drain();
		this.#closed.resolve();
		this.#end.reject(new ConnectionLost(code, reason));
	}

	/** @param {BotMessage} message */
	#send(message) {
		if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
	}

	/** @param {unknown} data */
	#receive(data) {
		const message = this.#read(data);
		if (!message) return;
		if (!this.#slow) return this.#handle(message);
		this.#inbox.push(message);
		// A turn of the event loop later, all that had come while the bot was at work has been read.
		if (this.#inbox.length === 1) setTimeout(() => this.#drain());
	}

	/** @param {unknown} data @returns {any} the message; null if it is none */
	#read(data) {
		try {
			const message = typeof data === "string" ? JSON.parse(data) : null;
			if (typeof message?.type === "string") return message;
		} catch {
			// Told below, like a binary frame.
		}
		this.#tell("a message of the server that is no JSON object with a type was ignored");
		return null;
	}

	/** Handle all that came meanwhile, without the observations that are out of date. */
	#drain() {
		const batch = this.#inbox;
		this.#inbox = [];
		this.#slow = false;
		/** @type {Map<string, ServerMessage>} */
		const newest = new Map();
		for (const message of batch) if (message.type === "observation") newest.set(message.match, message);
		for (const message of batch) {
			if (message.type === "observation" && newest.get(message.match) !== message)
				this.#table.players.get(message.match)?.skip(message);
			else this.#handle(message);
		}
	}

	/** @param {ServerMessage} message */
	#handle(message) {
		if (this.#table.done) return;
		const start = performance.now();
		if (this.#welcomed) this.#greet(message, this.#welcomed);
		else this.#serve(message);
		if (performance.now() - start > SLOW_MS) this.#slow = true;
	}

	/** @param {ServerMessage} message @param {(welcome: Welcome) => void} welcomed */
	#greet(message, welcomed) {
		switch (message.type) {
			case "welcome":
				this.#welcomed = null;
				return welcomed(message);
			case "error":
				return this.#end.reject(new Refused(message.message, message.code, PASSING.has(message.code)));
			case "notice":
				return this.#log.info(`notice ${message.code}: ${message.message}`);
		}
	}

	/** @param {ServerMessage} message */
	#serve(message) {
		switch (message.type) {
			case "observation":
				return this.#table.players.get(message.match)?.observe(message);
			case "match_start":
				return this.#start(message);
			case "match_end":
				this.#table.end(message);
				return this.#table.done && this.#end.resolve();
			case "error":
				return this.#tell(`error ${message.code}`, `: ${message.message}`);
			case "notice":
				return this.#log.info(`notice ${message.code}: ${message.message}`);
			case "welcome":
				return;
			default:
				// A newer server may say more than this client knows (P1.4).
				this.#tell(`a message of the unknown type ${/** @type {any} */ (message).type} was ignored`);
		}
	}

	/** @param {import("../types/messages.js").MatchStart} message */
	#start(message) {
		const player = this.#table.start(message);
		if (!player) return this.#send({ type: "leave", match: message.match });
		player.reply = (answer) => this.#reply(answer);
		player.prepare();
	}

	/** @param {BotMessage} answer */
	#reply(answer) {
		this.#send(answer);
		if (answer.type === "leave") this.#table.leave(answer.match);
		if (this.#table.done) this.#end.resolve();
	}

	/** Log something once a kind over this connection, not once a tick. @param {string} kind @param {string} [more] */
	#tell(kind, more = "") {
		if (this.#told.has(kind)) return;
		this.#told.add(kind);
		this.#log.warn(`${kind}${more} (this kind is logged once)`);
	}
}

/** A promise that is settled from outside. `Promise.withResolvers` would do, but Node 20 does not have it. */
class Outcome {
	/** @type {() => void} */
	resolve = () => {};
	/** @type {(error: Error) => void} */
	reject = () => {};
	/** @type {Promise<void>} */
	promise = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));

	constructor() {
		// An end that nobody waits for any more is no error.
		this.promise.catch(() => {});
	}
}
