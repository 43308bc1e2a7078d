/** What a bot is: one object a match with one method to implement, `decide`. */

import { COMPASS } from "./words.js";

/** @typedef {import("../types/messages.js").MatchStart} MatchStart */
/** @typedef {import("../types/messages.js").MatchEnd} MatchEnd */
/** @typedef {import("../types/messages.js").LastAction} LastAction */

/** Thrown in `start` or `decide`: the bot gives up its seat for good, and the match goes on without it. */
export class LeaveMatch extends Error {}

/**
 * A player of one match. Others see the name of its class. A bot of a plug-in game subclasses this one and
 * names its `game`.
 * @template [Seen=any] what `decide` gets: the whole observation
 * @template [Act=any] what it returns: the game's part of the action
 */
export class Bot {
	/** Name of the game, as in `match_start.game`. @type {string} */
	static game;

	/** What is known about the match; set before `start`. @type {MatchStart} */
	match = /** @type {any} */ (undefined);
	/** Number of the tick that `decide` is asked about; 0 is the start position. */
	tick = 0;
	/** Milliseconds that the server gives for this answer. */
	deadlineMs = 0;
	/** Milliseconds of extra time that are left for the whole match, on top of the deadline (lockstep). */
	bankMs = 0;
	/** What became of the action before (applied, late, blocked …); null in the first tick. @type {LastAction | null} */
	lastAction = null;

	/** Name of the game that it plays. */
	get game() {
		return /** @type {typeof Bot} */ (this.constructor).game;
	}

	/** The own seat; lists in observations have one entry a seat. */
	get seat() {
		return this.match.seat;
	}

	/** The static part of the game: the map or the field; it may be used from `start` on. @returns {any} */
	get setup() {
		return this.match.setup;
	}

	/**
	 * Prepare for a match; called once, before the first `decide`. It may be async: the match begins when it is done,
	 * or when the server's time for that is over.
	 * @param {MatchStart} match
	 * @returns {void | Promise<void>}
	 */
	start(match) {}

	/**
	 * Return the action for this tick. This is the one method to implement; it may be async.
	 * @param {Seen} observation
	 * @returns {Act | Promise<Act>}
	 */
	decide(observation) {
		throw new Error(`${this.constructor.name} has to implement decide(observation)`);
	}

	/** Learn how the match ended; lists have one entry a seat. @param {MatchEnd} result */
	end(result) {}

	/** Learn which ticks went by without an answer of this bot, before the next `decide`. @param {number[]} ticks */
	missed(ticks) {}

	/** The action to give when `decide` failed; null: none at all, which counts as missing. @returns {Act | null} */
	neutral() {
		return null;
	}

	/**
	 * The game's part of the `action` message for what `decide` returned.
	 * @param {Act} action
	 * @returns {Record<string, any>}
	 * @throws {TypeError} `decide` returned something else than an action
	 */
	write(action) {
		if (typeof action !== "object" || action === null || Array.isArray(action))
			throw new TypeError(`decide() has to return an object, not ${told(action)}`);
		return action;
	}
}

/**
 * A player of Right2Live: `decide` returns `{ move, view }`, two directions; either may be left out.
 * @extends {Bot<import("../types/messages.js").Right2LiveObservation, import("../types/messages.js").Right2LiveMove>}
 */
export class Right2LiveBot extends Bot {
	static game = "right2live";

	/** The map; it may be used from `start` on. @returns {import("../types/messages.js").Right2LiveBriefing} */
	get setup() {
		return super.setup;
	}

	/** @returns {import("../types/messages.js").Right2LiveMove} */
	neutral() {
		return {};
	}

	/** @param {import("../types/messages.js").Right2LiveMove} action @returns {Record<string, any>} */
	write(action) {
		const { move = "NONE", view = null } = super.write(action);
		if (move !== "NONE" && !COMPASS.includes(move)) throw new TypeError(`move has to be a direction, not ${told(move)}`);
		if (view !== null && !COMPASS.includes(view)) throw new TypeError(`view has to be a direction, not ${told(view)}`);
		return view === null ? { move } : { move, view };
	}
}

/**
 * A player of Spaceballs: `decide` returns `{ thrust: [x, y] }`, y upwards.
 * @extends {Bot<import("../types/messages.js").SpaceballsObservation, import("../types/messages.js").SpaceballsThrust>}
 */
export class SpaceballsBot extends Bot {
	static game = "spaceballs";

	/** The field at the start and all sizes; it may be used from `start` on. @returns {import("../types/messages.js").SpaceballsBriefing} */
	get setup() {
		return super.setup;
	}

	/** @returns {import("../types/messages.js").SpaceballsThrust} */
	neutral() {
		return { thrust: [0, 0] };
	}

	/** @param {import("../types/messages.js").SpaceballsThrust} action @returns {Record<string, any>} */
	write(action) {
		const { thrust } = super.write(action);
		if (!Array.isArray(thrust) || thrust.length !== 2 || !thrust.every(Number.isFinite))
			throw new TypeError(`decide() has to return { thrust: [x, y] } with two finite numbers, not ${told(action)}`);
		return { thrust };
	}
}

/** A value in an error: short, and NaN stays NaN. @param {unknown} value */
function told(value) {
	const plain = (/** @type {string} */ _key, /** @type {unknown} */ item) =>
		typeof item === "bigint" || (typeof item === "number" && !Number.isFinite(item)) ? String(item) : item;
	const text = typeof value === "object" && value !== null ? JSON.stringify(value, plain) : String(value);
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
