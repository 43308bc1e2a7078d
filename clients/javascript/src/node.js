/** The SDK in Node: what `index.js` has, with Node's sockets, and `run` for scripts. */

import process from "node:process";

import { DEFAULT_SERVER } from "./address.js";
import { play as playWith } from "./client.js";
import { explain } from "./node-explain.js";
import { Problem, WrongUse } from "./problems.js";

/** @typedef {import("./client.js").PlayOptions} PlayOptions */
/** @typedef {import("./table.js").Playable} Playable */

export * from "./index.js";

/** Environment variable for the token: command lines can be read by everybody on the machine. */
const TOKEN_VARIABLE = "FANGNETZ_TOKEN";
/** Environment variable for the server: a tournament sets it for the bots that it starts. */
const SERVER_VARIABLE = "FANGNETZ_SERVER";
/** Exit statuses after Ctrl-C and SIGTERM, as shells have them: 128 + number of the signal. */
const STOPPED = /** @type {const} */ ({ SIGINT: 130, SIGTERM: 143 });
/** The connection is found dead some seconds after the server's pings stay away. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 20_000, perMessageDeflate: false };

/**
 * Play matches on a server and return their results; see `play` in client.js.
 * @param {Playable} bot
 * @param {string} [server]
 * @param {PlayOptions} [options]
 */
export async function play(bot, server = DEFAULT_SERVER, options = {}) {
	return playWith(bot, server, options, { WebSocket: await nodeWebSocket(), explain });
}

/**
 * Play matches on a server until they are finished, and return their results.
 *
 * This is `play` for scripts: it writes a log to standard error, and ends the program with one clear line and the
 * exit status of the problem if it cannot play. Ctrl-C and SIGTERM end it with a closing handshake.
 *
 * @param {Playable} bot
 * @param {string} [server] left out: the environment variable FANGNETZ_SERVER, else this machine
 * @param {PlayOptions} [options] `token` left out: the environment variable FANGNETZ_TOKEN, if set
 */
export async function run(bot, server = process.env[SERVER_VARIABLE] || DEFAULT_SERVER, options = {}) {
	const stop = new AbortController();
	const listeners = Object.entries(STOPPED).map(([signal, status]) => {
		const listener = () => stop.abort(status);
		process.on(signal, listener);
		return () => process.off(signal, listener);
	});
	const token = options.token ?? process.env[TOKEN_VARIABLE];
	try {
		return await play(bot, server, { log: stderrLog, ...options, token, signal: stop.signal });
	} catch (error) {
		if (!(error instanceof Problem) && !stop.signal.aborted) throw error;
		if (error instanceof Problem) console.error(error.message);
		process.exit(error instanceof Problem ? error.exitStatus : stop.signal.reason);
	} finally {
		for (const unlisten of listeners) unlisten();
	}
}

/** A line on standard error; standard output stays the bot's. @param {string} level */
const line = (level) => (/** @type {unknown[]} */ ...parts) => console.error(new Date().toISOString(), level, ...parts);
const stderrLog = { info: line("INFO"), warn: line("WARNING"), error: line("ERROR") };

/** Node's own WebSocket, from version 22 on; before, that of the package `ws`. @returns {Promise<typeof WebSocket>} */
async function nodeWebSocket() {
	if (globalThis.WebSocket) return globalThis.WebSocket;
	const ws = await import("ws").catch(() => null);
	if (!ws) throw new WrongUse(`Node ${process.version} has no WebSocket of its own: npm install ws, or take Node 22`);
	class Socket extends ws.WebSocket {
		/** @param {string} url @param {string} protocol */
		constructor(url, protocol) {
			super(url, protocol, KEEP_ALIVE);
		}
	}
	return /** @type {any} */ (Socket);
}
