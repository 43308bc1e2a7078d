/** Small parts that several views share. */

import { make } from "./dom.js";
import { icon } from "./icons.js";
import { words } from "./words.js";

const text = words.viewer;

export function backLink() {
	return make(
		"a",
		{ class: "back", href: "./", title: text.back },
		icon("back"),
		make("span", {}, text.back),
	);
}

/**
 * A line in the middle of an empty place; with a hint it is the heading of the view.
 * @param {string} line
 * @param {string} [hint]
 */
export function message(line, hint = "") {
	return make(
		"div",
		{ class: "message" },
		make(hint ? "h1" : "p", {}, line),
		hint && make("p", { class: "quiet" }, hint),
	);
}

/** @param {import("../types.js").GamePage} game */
export function legend(game) {
	const items = game.legend.map((item) =>
		make("li", {}, icon(item.icon, item.tone), make("span", {}, item.text)),
	);
	return make("ul", { class: "legend", "aria-label": text.legend, hidden: items.length === 0 }, ...items);
}
