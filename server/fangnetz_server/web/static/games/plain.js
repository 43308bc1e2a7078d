/** A game that the page does not know, from a plug-in: its frames are shown as they come. */

import { make } from "../dom.js";
import { reasonText, words } from "../words.js";

/** @param {string} id @returns {import("../../types.js").GamePage} */
export function plainGame(id) {
	return {
		id,
		title: id,
		tick: words.spaceballs.tick,
		columns: [],
		charts: [],
		sees: false,
		legend: [],
		scene: () => null,
		raw: () => new RawStage(),
		hud: () => ({ element: make("div", { hidden: true }), update: () => {} }),
		rows: (frame, start) =>
			start.seats.map((seat) => ({
				seat: seat.seat,
				icon: "ball",
				role: "",
				tone: "ink",
				points: 0,
				connected: true,
				cells: [],
			})),
		tell: (event) => ({ text: [plain(event)], icon: "grid", main: true }),
		effect: () => null,
		reason: (reason) => reasonText({}, reason),
	};
}

/** "kind seat 1 place 3" for an object of an unknown game. @param {Record<string, any>} event */
function plain(event) {
	const facts = Object.entries(event).filter(([name]) => name !== "kind");
	return [event.kind, ...facts.map(([name, value]) => `${name} ${JSON.stringify(value)}`)].join(" ");
}

/** Fields of every frame, which are no news. */
const KNOWN = new Set(["type", "match", "tick", "events"]);

/** The raw frame as a table. */
export class RawTable {
	constructor() {
		this.element = make("table", { class: "raw", "aria-label": words.viewer.frame });
	}

	/** @param {Record<string, unknown>} frame */
	update(frame) {
		const facts = Object.entries(frame).filter(([name]) => !KNOWN.has(name));
		const rows = facts.map(([name, value]) =>
			make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, JSON.stringify(value))),
		);
		this.element.replaceChildren(make("tbody", {}, ...rows));
	}
}

/** Stands in for the canvas where the page does not know the game. */
export class RawStage {
	constructor() {
		this.#table = new RawTable();
		const scroll = { class: "raw-field", tabindex: "0", role: "region", "aria-label": words.viewer.frame };
		this.element = make("div", scroll, this.#table.element);
	}

	#table;
	/** @type {any} */
	drawn = null;
	glowing = false;
	scene = null;

	flash() {}

	/** @param {Omit<import("../../types.js").Moment, "effects">} moment */
	show(moment) {
		if (this.drawn === moment.before) return;
		this.drawn = moment.before;
		this.#table.update({ ...moment.before });
	}

	close() {}
}
