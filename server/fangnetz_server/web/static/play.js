/** A person takes a seat. The form is here; what plays is loaded when somebody wants to. */

import { make } from "./dom.js";
import { gameWords } from "./games.js";
import { backLink, message } from "./parts.js";
import { chosen, keep } from "./settings.js";
import { words } from "./words.js";

const text = words.play;

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
	#name = "";
	#leaving = new AbortController();
	/** @type {import("./person.js").Person | null} */
	#person = null;

	close() {
		this.#leaving.abort();
		this.#person?.close();
	}

	snapshot() {
		return { view: "play", ...(this.#person?.snapshot() ?? {}), phase: this.element.dataset.phase };
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
			void this.#play();
		});
		this.#showState("closed", () => {});
		this.element.dataset.phase = "asking";
		this.element.replaceChildren(backLink(), form);
	}

	/** Until the person leaves, or the seat is refused or lost for good. */
	async #play() {
		this.element.dataset.phase = "queued";
		this.element.replaceChildren(backLink(), message(text.waiting));
		const { Person } = await import("./person.js");
		if (this.#leaving.signal.aborted) return;
		this.#person = new Person(this.game, this.element);
		const problem = await this.#person.play({ name: this.#name, signal: this.#leaving.signal, state: this.#showState });
		if (this.#leaving.signal.aborted) return;
		this.#person.close();
		this.#person = null;
		this.#ask(problem);
	}
}
