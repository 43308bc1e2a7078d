/** What the sections of the page are made of. */

import { make } from "../dom.js";

/** A section that is built anew only if what it shows has changed; the focus and the scrolling stay. */
export class Part {
	/** @param {string} name */
	constructor(name) {
		this.element = make("section", { class: "panel table-panel scrolling", "data-part": name, hidden: true });
	}

	#shown = "";

	/**
	 * @param {unknown} value All that `build` depends on; null hides the section.
	 * @param {() => (Node | string)[]} build
	 */
	show(value, build) {
		this.element.hidden = value === null;
		const text = JSON.stringify(value);
		if (text === this.#shown) return;
		this.#shown = text;
		const focus = document.activeElement;
		const key = this.element.contains(focus) && focus instanceof HTMLElement ? focus.dataset.key : undefined;
		this.element.replaceChildren(...(value === null ? [] : build()));
		const again = key === undefined ? null : this.element.querySelector(`[data-key="${CSS.escape(key)}"]`);
		if (again instanceof HTMLElement) again.focus({ preventScroll: true });
	}
}

/** @param {string} title @param {...(Node | string)} more */
export function heading(title, ...more) {
	return make("h2", {}, title, ...more);
}

/**
 * @param {string} word
 * @param {string} key Finds it again after a change.
 * @param {() => unknown} act
 * @param {string} [kind]
 */
export function button(word, key, act, kind = "") {
	const made = make("button", { class: `button ${kind}`.trim(), type: "button", "data-key": key }, word);
	made.addEventListener("click", () => act());
	return made;
}

/**
 * @param {string[]} heads
 * @param {(Node | string)[][]} rows
 * @param {string} [kind]
 */
export function table(heads, rows, kind = "") {
	const head = make("tr", {}, ...heads.map((text) => make(text ? "th" : "td", text ? { scope: "col" } : {}, text)));
	const body = rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))));
	return make("table", { class: kind }, make("thead", {}, head), make("tbody", {}, ...body));
}

/** @param {any} progress */
export function share(progress) {
	return `${progress.done} of ${progress.total ?? "∞"}`;
}

/** What stands on a chip, and how. @param {string} state */
export function chip(state) {
	const phase = { running: "running", finished: "over" }[state] ?? state;
	return make("span", { class: "chip", "data-phase": phase }, state);
}

/** A time of today as a time, another with its day. @param {string} moment */
export function when(moment) {
	const time = new Date(moment);
	const today = time.toDateString() === new Date().toDateString();
	return today ? time.toLocaleTimeString() : time.toLocaleString();
}
