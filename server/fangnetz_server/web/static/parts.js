/** Small parts that several views share. */

import { make, nameOf } from "./dom.js";
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

/**
 * The line above a match.
 * @param {import("../types.js").GamePage} game
 * @param {import("../types.js").MatchStart} start
 * @param {HTMLElement} chip
 * @param {HTMLElement} tick
 * @param {boolean} hasOthers whether there is a list to go back to
 */
export function matchHead(game, start, chip, tick, hasOthers) {
	const names = start.seats
		.slice(0, 2)
		.flatMap((seat, index) => [index ? ` ${words.lobby.versus} ` : "", nameOf(seat.name)]);
	const who = start.seats.length > 2 ? [text.bots(start.seats.length)] : names;
	return make(
		"header",
		{ class: "match-head" },
		hasOthers ? backLink() : "",
		make("h1", {}, game.title, make("small", {}, ...who)),
		chip,
		make("span", { class: "ticks" }, `${game.tick} `, tick, start.ticks === null ? "" : text.of(start.ticks)),
	);
}
