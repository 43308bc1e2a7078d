/** Why a bot cannot play: one class a kind, each with the exit status of a program that ends with it. */

import { CLOSE_CODES } from "./words.js";

/** Something that the user has to know and can mend; the message is one clear line. */
export class Problem extends Error {
	/** @param {string} message @param {boolean} [mayPass] */
	constructor(message, mayPass = false) {
		super(message);
		this.name = this.constructor.name;
		/** True if trying again later can help. */
		this.mayPass = mayPass;
	}

	/** The status of a program that ends with it. */
	get exitStatus() {
		return 1;
	}
}

/** The call is wrong. */
export class WrongUse extends Problem {
	get exitStatus() {
		return 2;
	}
}

/** No connection comes about: nobody listens, the name is unknown, TLS fails, no answer. */
export class Unreachable extends Problem {
	/** @param {string} server @param {string} problem @param {boolean} [mayPass] */
	constructor(server, problem, mayPass = true) {
		super(`cannot reach ${server}: ${problem}`, mayPass);
	}

	get exitStatus() {
		return 3;
	}
}

/** Somebody answers, but it is no Fangnetz server, or not under this path. */
export class NotFangnetz extends Problem {
	/** @param {string} server @param {string} problem */
	constructor(server, problem) {
		super(`no Fangnetz server at ${server}: ${problem}`);
	}

	get exitStatus() {
		return 4;
	}
}

/** The server does not let the bot in. */
export class Refused extends Problem {
	/**
	 * @param {string} problem
	 * @param {import("../types/messages.js").ErrorCode | null} [code]
	 * @param {boolean} [mayPass]
	 */
	constructor(problem, code = null, mayPass = false) {
		super(`refused by the server${code ? ` (${code})` : ""}: ${problem}`, mayPass);
		/** What the server said, without the words around it. */
		this.problem = problem;
		/** The code of the server's `error`; null for a refusal by HTTP. */
		this.code = code;
	}

	get exitStatus() {
		return 5;
	}
}

/** Goodbyes after which coming back would help nobody: POLICY, REPLACED, ALREADY_CONNECTED, REFUSED. */
const FINAL = new Set([1008, 4001, 4002, 4005]);
/** What a browser or Node tells when there was no close frame. */
const NO_FRAME = new Set([1005, 1006]);

/** The connection broke. */
export class ConnectionLost extends Problem {
	/** @param {number} code the close code @param {string} reason */
	constructor(code, reason) {
		super(`the connection was lost: ${explain(code, reason)}`, !FINAL.has(code));
		/** The close code; 1006 if there was no close frame. */
		this.code = code;
		this.reason = reason;
	}

	get exitStatus() {
		return 6;
	}
}

/** @param {number} code @param {string} reason */
function explain(code, reason) {
	if (NO_FRAME.has(code)) return reason || "the network connection broke";
	const known = CLOSE_CODES[code] ?? "no code that this client knows";
	return `${code}, ${known}${reason && reason !== known ? ` (${reason})` : ""}`;
}
