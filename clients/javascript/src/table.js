/** All matches of one client: who plays where, and when enough were played. No socket in here. */

import { Bot } from "./bot.js";
import { Faults, Player } from "./player.js";
import { WrongUse } from "./problems.js";

/** @typedef {import("../types/messages.js").MatchEnd} MatchEnd */
/** @typedef {import("../types/messages.js").MatchStart} MatchStart */
/** @typedef {import("./player.js").Log} Log */
/** @typedef {Bot | (new () => Bot) | (() => Bot)} Playable A bot class or another function that makes a bot, or one bot for one match at a time. */

/** Longest name that the protocol allows. */
const LONGEST_NAME = 40;

/** Gives a bot to each match. */
export class BotSource {
	/**
	 * @param {Playable} playable
	 * @throws {WrongUse} it is none, or the bot names no game
	 */
	constructor(playable) {
		this.#factory = playable instanceof Bot ? null : factory(playable);
		const first = playable instanceof Bot ? playable : this.#factory?.();
		if (!(first instanceof Bot)) throw new WrongUse("that is no bot: extend Right2LiveBot, SpaceballsBot or Bot");
		const { name } = first.constructor;
		if (typeof first.game !== "string") throw new WrongUse(`${name} has to name its game: static game = "…"`);
		this.game = first.game;
		this.name = name.slice(0, LONGEST_NAME) || "bot";
		this.#spare = first;
	}

	#factory;
	/** @type {Bot | null} */
	#spare;

	/** A bot for a new match; null if the only one is at play. @returns {Bot | null} */
	take() {
		const bot = this.#spare;
		this.#spare = null;
		return bot ?? this.#factory?.() ?? null;
	}

	/** Take back a bot after its match; one that a factory made plays no second one. @param {Bot} bot */
	giveBack(bot) {
		if (!this.#factory) this.#spare = bot;
	}
}

/** The running matches of a client and the results of the finished ones. */
export class Table {
	/**
	 * @param {BotSource} source
	 * @param {number} matches number of matches to play; Infinity: no end
	 * @param {Log} log
	 */
	constructor(source, matches, log) {
		this.#source = source;
		this.#matches = matches;
		this.#log = log;
		this.faults = new Faults(log);
	}

	#source;
	#matches;
	#log;
	/** @type {Map<string, Player>} */
	players = new Map();
	/** @type {MatchEnd[]} */
	results = [];
	/** How many matches were given up by their bots. */
	#left = 0;

	/** True once as many matches are finished, or given up by their bots, as were asked for. */
	get done() {
		return this.results.length + this.#left >= this.#matches;
	}

	/** Seat a bot at a match; null if there is none for it. After a resume the match has its bot already. @param {MatchStart} message */
	start(message) {
		const known = this.players.get(message.match);
		if (known) return known;
		const bot = this.#botFor(message);
		if (!bot) return null;
		this.#log.info(`match ${message.match} begins: ${message.game}, seat ${message.seat} of ${message.seats.length}`);
		const player = new Player(bot, message, this.faults);
		this.players.set(message.match, player);
		return player;
	}

	/** Forget a match that its bot has given up. @param {string} match */
	leave(match) {
		const player = this.players.get(match);
		if (!player) return;
		this.players.delete(match);
		this.#log.info(`match ${match} is given up by the bot`);
		this.#left += 1;
		this.#source.giveBack(player.bot);
	}

	/** Take the result of a match; one without a player of ours changes nothing. @param {MatchEnd} message */
	end(message) {
		const player = this.players.get(message.match);
		if (!player) return;
		this.players.delete(message.match);
		this.#log.info(`match ${message.match} is over: ${summary(player, message)}`);
		player.end(message);
		this.results.push(message);
		this.#source.giveBack(player.bot);
	}

	/** Drop all running matches: the server could not give the seats back. */
	forgetAll() {
		for (const [match, player] of this.players) {
			this.#log.warn(`match ${match} is lost: the server knows nothing of this bot any more`);
			this.#source.giveBack(player.bot);
		}
		this.players.clear();
	}

	/** @param {MatchStart} message */
	#botFor(message) {
		const match = message.match;
		if (message.game !== this.#source.game) {
			this.#log.warn(`match ${match} is left: this bot plays ${this.#source.game}, not ${message.game}`);
			return null;
		}
		if (this.results.length + this.#left + this.players.size >= this.#matches) {
			this.#log.info(`match ${match} is left: enough are at play`);
			return null;
		}
		const bot = this.faults.watch("bot", () => this.#source.take()) ?? null;
		if (!bot) this.#log.warn(`match ${match} is left: this one bot is at play; run its class to play several`);
		return bot;
	}
}

/** @param {Exclude<Playable, Bot>} make @returns {() => Bot} */
function factory(make) {
	if (typeof make !== "function") throw new WrongUse("that is no bot: give a bot class, a function that makes a bot, or a bot");
	const isClass = /^class\b/.test(Function.prototype.toString.call(make));
	return isClass ? () => new (/** @type {new () => Bot} */ (make))() : /** @type {() => Bot} */ (make);
}

/** @param {Player} player @param {MatchEnd} result */
function summary(player, result) {
	const { reason, ticks, places, points } = result;
	const seat = player.bot.seat;
	const troubles = ["invalid", "late", "missing"].filter((status) => player.statuses.has(status));
	const text = seat < places.length ? `place ${places[seat]} of ${places.length} with ${+points[seat].toPrecision(6)} points, ` : "";
	const told = troubles.map((status) => `${player.statuses.get(status)} ${status}`).join(", ");
	return `${text}${reason}, ${ticks} ticks${told ? ` (actions: ${told})` : ""}`;
}
