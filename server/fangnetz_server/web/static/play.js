/** A person takes a seat, by the same protocol as any bot (P2). What it sees is what a bot would see. */

import { Board } from "./board.js";
import { PROTOCOL, socketUrl } from "./connection.js";
import { make } from "./dom.js";
import { gamePage, gameWords } from "./games.js";
import { backLink, message } from "./parts.js";
import { Steering, nearestDirection } from "./steering.js";
import { chosen, keep } from "./settings.js";
import { words } from "./words.js";

const text = words.play;
/** How much of its time a person gets in a match that waits for all: the rest is for the line. */
const SHARE = 0.7;

export class Play {
	/** @param {string} game @param {(state: import("./connection.js").FeedState, retry: () => void) => void} showState */
	constructor(game, showState) {
		this.game = game;
		this.#showState = showState;
		document.title = `${text.title(gameWords(game).title)} · ${words.title}`;
		this.element = make("section", { class: "viewer play", "data-testid": "play", "data-phase": "asking" });
		this.#ask("");
	}

	#showState;
	#steering = new Steering();
	/** @type {WebSocket | null} */
	#socket = null;
	/** @type {Board | null} */
	#board = null;
	/** @type {any} */
	#start = null;
	#resume = "";
	#name = "";
	#timer = 0;
	#closed = false;

	close() {
		this.#closed = true;
		clearTimeout(this.#timer);
		this.#board?.close();
		this.#steering.close();
		this.#socket?.close();
	}

	snapshot() {
		return { view: "play", ...(this.#board?.snapshot() ?? {}), phase: this.element.dataset.phase };
	}

	/** @param {string} problem */
	#ask(problem) {
		const name = make("input", { type: "text", id: "name", maxlength: 32, required: true, autocomplete: "nickname" });
		name.value = this.#name || chosen("name") || "";
		const label = make("label", { for: "name" }, text.name);
		const form = make("form", { class: "panel ask" }, make("h1", {}, text.title(gameWords(this.game).title)), label, name);
		const hint = this.game === "spaceballs" ? text.spaceballs : text.right2live;
		form.append(make("button", { class: "button" }, text.start), make("p", { class: "quiet" }, hint));
		if (problem) form.append(make("p", { role: "alert", class: "gone" }, problem));
		form.addEventListener("submit", (event) => {
			event.preventDefault();
			this.#name = name.value.trim();
			keep("name", this.#name);
			this.#connect();
		});
		this.#showState("closed", () => {});
		this.element.dataset.phase = "asking";
		this.element.replaceChildren(backLink(), form);
	}

	#connect() {
		this.#showState("connecting", () => {});
		const socket = new WebSocket(socketUrl("play", document.baseURI), PROTOCOL);
		this.#socket = socket;
		socket.onopen = () => {
			this.#showState("open", () => {});
			const hello = { type: "hello", protocol: "1.0", name: this.#name, games: [this.game] };
			const client = { name: "Fangnetz page", version: "1", language: "JavaScript" };
			this.#send({ ...hello, client, ...(this.#resume && { resume: this.#resume }) });
		};
		socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
		socket.onclose = () => socket === this.#socket && this.#lose();
	}

	/** The seat is kept for a while (P2.4). */
	#lose() {
		if (this.#closed || this.element.dataset.phase === "asking") return;
		this.#showState("lost", () => this.#connect());
		if (this.#resume) this.#timer = window.setTimeout(() => this.#connect(), 1000);
		else this.#ask(text.refused);
	}

	/** @param {object} message */
	#send(message) {
		if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
	}

	/** @param {any} heard */
	#hear(heard) {
		switch (heard.type) {
			case "welcome":
				this.#resume = heard.resume;
				return this.#board || this.#wait();
			case "match_start":
				return void this.#begin(heard);
			case "observation":
				return this.#see(heard);
			case "match_end":
				return this.#board?.end(heard);
			case "error":
				if (!this.#board) this.#refuse(heard.message);
		}
	}

	/** @param {string} problem */
	#refuse(problem) {
		this.#resume = "";
		this.#socket?.close();
		this.#ask(problem);
	}

	#wait() {
		this.element.dataset.phase = "queued";
		this.element.replaceChildren(backLink(), message(text.waiting));
	}

	/** @param {any} start */
	async #begin(start) {
		this.#send({ type: "ready", match: start.match });
		if (this.#board && this.#start?.match === start.match) return;
		this.#start = start;
		const game = await gamePage(start.game);
		this.#board?.close();
		this.#board = new Board(game, start, this.element, { own: start.seat });
		this.#steering.aimAt(this.element.querySelector("canvas"), () => this.#board?.spotOf(start.seat) ?? null);
		if (this.#early?.match === start.match) this.#see(this.#early);
	}

	/** An observation that came before the game's part of the page. @type {any} */
	#early = null;

	/** @param {any} seen */
	#see(seen) {
		const start = this.#start;
		this.#early = seen;
		if (!this.#board || start?.match !== seen.match) return;
		void gamePage(start.game).then((game) => {
			this.#board?.push({ ...game.own?.(seen, start.seat), type: "frame" });
		});
		const wait = start.pace === "lockstep" ? Math.min(start.tick_ms, seen.deadline_ms * SHARE) : seen.deadline_ms * SHARE;
		clearTimeout(this.#timer);
		this.#timer = window.setTimeout(() => this.#answer(seen), wait);
	}

	/** @param {any} seen */
	#answer(seen) {
		const { move, look } = this.#steering.read();
		const part =
			this.#start.game === "spaceballs"
				? { thrust: [move.x, -move.y || 0] }
				: { move: nearestDirection(move) ?? "NONE", view: nearestDirection(look) ?? nearestDirection(move) };
		this.#send({ type: "action", match: seen.match, tick: seen.tick, ...part });
	}
}
