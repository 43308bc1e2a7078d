/** A person as a bot of the SDK, by the same protocol (P2): thinks for most of the time, then wants what the keys say. */

import { Board } from "./board.js";
import { gamePage } from "./games.js";
import { Bot } from "./sdk/bot.js";
import { play } from "./sdk/client.js";
import { Problem, Refused } from "./sdk/problems.js";
import { Steering, nearestDirection } from "./steering.js";
import { words } from "./words.js";

/** @typedef {import("../types.js").GamePage} GamePage */

/** How much of its time a person gets in a match that waits for all: the rest is for the line. */
const SHARE = 0.7;
/** The page itself shows how the connection is. */
const LOG = { info() {}, warn() {}, error: console.error };

export class Person extends Bot {
	/** @param {string} game @param {HTMLElement} root */
	constructor(game, root) {
		super();
		this.#game = game;
		this.#root = root;
	}

	#game;
	#root;
	#steering = new Steering();
	/** @type {Board | null} */
	#board = null;
	/** Laid out once the game's part of the page is here. @type {Promise<GamePage | null>} */
	#seated = Promise.resolve(null);
	#closed = false;

	get game() {
		return this.#game;
	}

	snapshot() {
		return this.#board?.snapshot();
	}

	close() {
		this.#closed = true;
		this.#board?.close();
		this.#steering.close();
	}

	/** Play until it is over; what was wrong, in words. @param {import("./sdk/client.js").PlayOptions} options */
	async play(options) {
		try {
			await play(this, new URL(".", document.baseURI).href, { ...options, log: LOG });
		} catch (problem) {
			if (options.signal?.aborted) return "";
			if (!(problem instanceof Problem)) throw problem;
			if (problem instanceof Refused && problem.code) return problem.problem;
		}
		return words.play.refused;
	}

	start() {
		this.#seated = this.#sit();
	}

	async #sit() {
		const { match, seat } = this;
		const game = await gamePage(match.game);
		if (this.#closed) return null;
		this.#board?.close();
		this.#board = new Board(game, match, this.#root, { own: seat });
		this.#steering.aimAt(this.#root.querySelector("canvas"), () => this.#board?.spotOf(seat) ?? null);
		return game;
	}

	/** @param {any} seen */
	async decide(seen) {
		const game = await this.#seated;
		this.#board?.push({ ...game?.own?.(seen, this.seat), type: "frame" });
		const time = this.deadlineMs * SHARE;
		const wait = this.match.pace === "lockstep" ? Math.min(this.match.tick_ms, time) : time;
		await new Promise((resolve) => setTimeout(resolve, wait));
		const { move, look } = this.#steering.read();
		return this.#game === "spaceballs"
			? { thrust: [move.x, -move.y || 0] }
			: { move: nearestDirection(move) ?? "NONE", view: nearestDirection(look) ?? nearestDirection(move) };
	}

	/** @param {any} result */
	async end(result) {
		await this.#seated;
		this.#board?.end(result);
	}
}
