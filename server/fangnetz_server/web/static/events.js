/** The events of a match in words: a list for the eye, and a live region that reads the main ones aloud. */

import { make, sentence, sentenceText } from "./dom.js";
import { icon } from "./icons.js";
import { words } from "./words.js";

/** @typedef {import("../types.js").Told} Told */

/** Older lines leave the list; an hour of watching must not grow the page. Details never push out a main event. */
const MOST_MAIN = 200;
const MOST_DETAILS = 100;
/** Sentences spoken at most at a time, and the pause between two times. */
const SPOKEN = 3;
const SPEAK_MS = 2000;

export class EventList {
	/** @param {(seat: number) => string} nameAt @param {(tick: number) => void} seek */
	constructor(nameAt, seek) {
		this.#nameAt = nameAt;
		this.#seek = seek;
		this.#list = make("ol", {
			class: "events",
			"data-testid": "events",
			tabindex: "0",
			"aria-label": words.viewer.events,
		});
		this.#empty = make("p", { class: "quiet" }, words.viewer.noEvents);
		const box = make("input", { type: "checkbox", id: "details" });
		box.addEventListener("change", () => this.#list.classList.toggle("details", box.checked));
		this.#switch = make("label", { class: "switch", hidden: true }, box, words.viewer.details);
		this.#voice = make("p", {
			class: "unseen",
			role: "status",
			"aria-live": "polite",
			"data-testid": "voice",
		});
		const head = make("header", {}, make("h2", {}, words.viewer.events), this.#switch);
		this.element = make(
			"section",
			{ class: "panel events-panel" },
			head,
			this.#empty,
			this.#list,
			this.#voice,
		);
	}

	#nameAt;
	#seek;
	#list;
	#empty;
	#switch;
	#voice;
	/** @type {HTMLElement[]} */
	#main = [];
	/** @type {HTMLElement[]} */
	#details = [];
	/** @type {string[]} */
	#unsaid = [];
	#timer = 0;

	/** Add events, the oldest first. @param {{tick: number, told: Told}[]} items */
	add(items) {
		this.#insert(items);
		for (const { told } of items) if (told.main) this.say(sentenceText(told.text, this.#nameAt));
	}

	/** After a jump in time: other events, of which nothing is read aloud. @param {{tick: number, told: Told}[]} items */
	reset(items) {
		this.#main = [];
		this.#details = [];
		this.#list.replaceChildren();
		this.#insert(items);
	}

	/** @param {{tick: number, told: Told}[]} items */
	#insert(items) {
		const lines = items.map((item) => ({ main: item.told.main, element: this.#line(item) }));
		this.#list.prepend(...lines.map((line) => line.element).reverse());
		this.#keep(
			this.#main,
			lines.filter((line) => line.main),
			MOST_MAIN,
		);
		this.#keep(
			this.#details,
			lines.filter((line) => !line.main),
			MOST_DETAILS,
		);
		this.#empty.hidden = this.#main.length > 0;
		this.#switch.hidden = this.#details.length === 0;
	}

	/** @param {HTMLElement[]} kept @param {{element: HTMLElement}[]} added @param {number} most */
	#keep(kept, added, most) {
		kept.push(...added.map((line) => line.element));
		for (const old of kept.splice(0, Math.max(0, kept.length - most))) old.remove();
	}

	/** Read a sentence aloud soon; of many at once only the newest. @param {string} text */
	say(text) {
		this.#unsaid.push(text);
		this.#unsaid.splice(0, this.#unsaid.length - SPOKEN);
		if (!this.#timer)
			this.#timer = window.setTimeout(() => this.#speak(), this.#voice.textContent ? SPEAK_MS : 0);
	}

	close() {
		clearTimeout(this.#timer);
	}

	#speak() {
		this.#timer = 0;
		this.#voice.textContent = `${this.#unsaid.join(". ")}.`;
		this.#unsaid = [];
	}

	/** @param {number} tick */
	#when(tick) {
		const button = make("button", { type: "button", class: "when", title: words.controls.goTo }, String(tick));
		button.addEventListener("click", () => this.#seek(tick));
		return button;
	}

	/** @param {{tick: number, told: Told}} item */
	#line({ tick, told }) {
		return make(
			"li",
			{ class: told.main ? null : "detail", "data-event-tick": tick },
			this.#when(tick),
			icon(told.icon, `event-${told.icon}`),
			make("span", { class: "what" }, ...sentence(told.text, this.#nameAt)),
		);
	}
}
