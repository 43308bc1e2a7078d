/**
 * A bot at a match: the bot's code on one side, messages on the other. Nothing that the bot's code does gets out
 * of here but actions: an exception is logged once a kind and gives the neutral action.
 */

import { LeaveMatch } from "./bot.js";

/** @typedef {import("../types/messages.js").Action} Action */
/** @typedef {import("../types/messages.js").BotMessage} BotMessage */
/** @typedef {import("../types/messages.js").MatchEnd} MatchEnd */
/** @typedef {import("../types/messages.js").MatchStart} MatchStart */
/** @typedef {import("../types/messages.js").Observation} Observation */
/** @typedef {import("./bot.js").Bot} Bot */
/** @typedef {Pick<Console, "info" | "warn" | "error">} Log */

/** Counts what went wrong in a bot's code and logs each kind once, with its stack. */
export class Faults {
	/** @param {Log} log */
	constructor(log) {
		this.#log = log;
	}

	#log;
	/** How often each kind came. @type {Map<string, number>} */
	kinds = new Map();

	/** Count one fault; `where` is the method of the bot. @param {string} where @param {unknown} error */
	note(where, error) {
		const place = error instanceof Error ? `${error.name} ${error.stack?.split("\n").find((line) => /:\d+:\d+/.test(line))}` : "";
		const kind = `${where} ${place}`;
		const count = (this.kinds.get(kind) ?? 0) + 1;
		this.kinds.set(kind, count);
		if (count === 1)
			this.#log.error(`${where}() failed; the neutral action is given instead (this kind is logged once):`, error);
	}

	/** Run some code of the bot and go on, whatever it does. @template T @param {string} where @param {() => T} act @returns {T | undefined} */
	watch(where, act) {
		try {
			return act();
		} catch (error) {
			this.note(where, error);
		}
	}
}

/** One bot at one match. */
export class Player {
	/**
	 * @param {Bot} bot used for this match alone while it lasts
	 * @param {MatchStart} start
	 * @param {Faults} faults where exceptions of the bot's code are noted
	 */
	constructor(bot, start, faults) {
		this.bot = bot;
		this.match = start.match;
		this.#faults = faults;
		bot.match = start;
	}

	#faults;
	/** How often each status was told for an action. @type {Map<string, number>} */
	statuses = new Map();
	/** Where answers go: over the newest connection, and nowhere once the match is over. @type {(message: BotMessage) => void} */
	reply = () => {};
	/** Whether the bot's `start` is done. */
	#prepared = false;
	/** Whether an async method is at work. */
	#busy = false;
	/** The newest observation that came meanwhile. @type {Observation | null} */
	#waiting = null;
	/** @type {number[]} */
	#skipped = [];
	/** The last answer: after a resume the same tick comes again (P2.4). @type {Action | null} */
	#answer = null;

	/** Leave out an observation because a newer one is there already. @param {Observation} observation */
	skip(observation) {
		this.#skipped.push(observation.tick);
	}

	/** Let the bot prepare itself, and say `ready`; after a resume it is prepared, or in the middle of it. */
	prepare() {
		if (this.#prepared) return this.reply({ type: "ready", match: this.match });
		if (this.#busy) return;
		try {
			const preparing = this.bot.start(this.bot.match);
			if (preparing instanceof Promise) return void this.#think(null, this.#prepareLater(preparing));
		} catch (error) {
			return this.reply(this.#unprepared(error));
		}
		this.reply(this.#ready());
	}

	/** Answer an observation; while an async method is at work, keep the newest for later. @param {Observation} observation */
	observe(observation) {
		if (this.#busy) {
			if (this.#waiting) this.skip(this.#waiting);
			this.#waiting = observation;
			return;
		}
		const answer = this.#decide(observation);
		if (answer instanceof Promise) void this.#think(observation.tick, answer);
		else if (answer) this.reply(answer);
	}

	/** Tell the bot how the match ended. @param {MatchEnd} result */
	end(result) {
		this.reply = () => {};
		this.#faults.watch("end", () => this.bot.end(result));
	}

	/** Wait for an async method, then ask `decide` about the newest observation, if any. @param {number | null} tick @param {Promise<BotMessage | null>} answer */
	async #think(tick, answer) {
		this.#busy = true;
		const message = await answer;
		this.#busy = false;
		if (message) this.reply(message);
		if (message?.type === "leave") return;
		const next = this.#waiting;
		this.#waiting = null;
		// After a resume the tick that was thought about comes again; its answer has just gone out.
		if (next && next.tick !== tick) this.observe(next);
	}

	/** @param {Promise<void>} preparing */
	async #prepareLater(preparing) {
		try {
			await preparing;
		} catch (error) {
			return this.#unprepared(error);
		}
		return this.#ready();
	}

	/** @param {unknown} error @returns {BotMessage} */
	#unprepared(error) {
		if (error instanceof LeaveMatch) return this.#leave();
		this.#faults.note("start", error);
		return this.#ready();
	}

	/** @returns {BotMessage} */
	#ready() {
		this.#prepared = true;
		return { type: "ready", match: this.match };
	}

	/** @returns {BotMessage} */
	#leave() {
		return { type: "leave", match: this.match };
	}

	/**
	 * The answer to an observation, or a promise of it if `decide` is async. Null means that the bot has nothing to say;
	 * the server then counts the tick as missing.
	 * @param {Observation} observation
	 * @returns {BotMessage | null | Promise<BotMessage | null>}
	 */
	#decide(observation) {
		if (observation.tick === this.#answer?.tick) return this.#answer;
		this.#brief(observation);
		try {
			const choice = this.bot.decide(observation);
			if (choice instanceof Promise) return this.#decideLater(observation.tick, choice);
			return this.#act(observation.tick, choice);
		} catch (error) {
			return this.#stayNeutral(observation.tick, error);
		}
	}

	/** Set what the bot may read beside the observation, and tell it what it missed. @param {Observation} observation */
	#brief(observation) {
		const bot = this.bot;
		const last = observation.last_action;
		bot.tick = observation.tick;
		bot.deadlineMs = observation.deadline_ms;
		bot.bankMs = observation.bank_ms;
		bot.lastAction = last;
		if (last) this.statuses.set(last.status, (this.statuses.get(last.status) ?? 0) + 1);
		const missed = new Set([...this.#skipped, ...(observation.missed ?? [])]);
		this.#skipped = [];
		if (missed.size) this.#faults.watch("missed", () => bot.missed([...missed].sort((a, b) => a - b)));
	}

	/** @param {number} tick @param {Promise<any>} choice */
	async #decideLater(tick, choice) {
		try {
			return this.#act(tick, await choice);
		} catch (error) {
			return this.#stayNeutral(tick, error);
		}
	}

	/** @param {number} tick @param {any} choice @returns {Action} */
	#act(tick, choice) {
		this.#answer = { ...this.bot.write(choice), type: "action", match: this.match, tick };
		return this.#answer;
	}

	/** @param {number} tick @param {unknown} error @returns {BotMessage | null} */
	#stayNeutral(tick, error) {
		if (error instanceof LeaveMatch) return this.#leave();
		this.#faults.note("decide", error);
		return this.#faults.watch("neutral", () => {
			const neutral = this.bot.neutral();
			return neutral === null ? null : this.#act(tick, neutral);
		}) ?? null;
	}
}
