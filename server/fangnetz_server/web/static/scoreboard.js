/** The table of the bots of a match, best first. */

import { clamp } from "./geometry.js";
import { make, nameOf, setText, setVariable } from "./dom.js";
import { icon } from "./icons.js";
import { amount, words } from "./words.js";

/** @typedef {import("../types.js").Row} Row */
/** @typedef {import("../types.js").GamePage} GamePage */
/** @typedef {import("../types.js").MatchStart} MatchStart */

const text = words.viewer;

export class Scoreboard {
	/**
	 * @param {GamePage} game
	 * @param {MatchStart} start
	 * @param {(seat: number | null) => void} choose called when the viewer marks a bot, null for none
	 */
	constructor(game, start, choose) {
		this.#choose = choose;
		const columns = [text.bot, ...game.columns, text.pointsColumn];
		this.#body = make("tbody");
		this.#lines = new Map(
			start.seats.map((seat) => [seat.seat, new Line(seat, game.columns, (at) => this.toggle(at))]),
		);
		this.#body.append(...[...this.#lines.values()].map((line) => line.element));
		this.element = make(
			"table",
			{ class: "scoreboard", "data-testid": "scoreboard" },
			make("caption", { class: "unseen" }, text.score),
			make("thead", {}, make("tr", {}, ...columns.map((column) => make("th", { scope: "col" }, column)), this.#head)),
			this.#body,
		);
	}

	/** There only once some latency is known. */
	#head = make("th", { scope: "col", hidden: true, title: text.latencyHint }, text.latency);
	#choose;
	#body;
	#lines;
	#order = "";
	/** @type {number | null} */
	#chosen = null;

	/** @param {Row[]} rows @param {number[] | null} places by seat, once the match is over */
	update(rows, places) {
		for (const row of rows) {
			this.#lines.get(row.seat)?.update(row, places?.[row.seat] ?? null);
			if (row.latency !== undefined) this.time(row.seat, row.latency);
		}
		this.#sort(rows, places);
	}

	/** Show how long a bot takes to answer. @param {number} seat @param {number | null} milliseconds */
	time(seat, milliseconds) {
		if (milliseconds !== null) this.#head.hidden = false;
		for (const [at, line] of this.#lines) line.time(at === seat ? milliseconds : undefined, !this.#head.hidden);
	}

	/** Mark a bot, or none if it is marked already. @param {number} seat */
	toggle(seat) {
		this.#chosen = this.#chosen === seat ? null : seat;
		for (const [at, line] of this.#lines) line.press(at === this.#chosen);
		this.#choose(this.#chosen);
	}

	/** @param {Row[]} rows @param {number[] | null} places */
	#sort(rows, places) {
		const rank = (/** @type {Row} */ row) => places?.[row.seat] ?? 0;
		const sorted = [...rows].sort((a, b) => rank(a) - rank(b) || b.points - a.points || a.seat - b.seat);
		const order = sorted.map((row) => row.seat).join();
		if (order === this.#order) return;
		this.#order = order;
		const focused = document.activeElement;
		this.#body.append(...sorted.flatMap((row) => this.#lines.get(row.seat)?.element ?? []));
		// Moving a row takes the focus from it.
		if (focused instanceof HTMLElement && this.#body.contains(focused))
			focused.focus({ preventScroll: true });
	}
}

class Line {
	/**
	 * @param {import("../types.js").Seat} seat
	 * @param {string[]} columns
	 * @param {(seat: number) => void} toggle
	 */
	constructor(seat, columns, toggle) {
		this.#sign = make("span", { class: "sign" });
		this.#gone = make(
			"span",
			{ class: "gone", title: text.gone, hidden: true },
			icon("unplugged"),
			make("span", { class: "unseen" }, text.gone),
		);
		this.#place = make("span", { class: "place", hidden: true });
		this.#button = make(
			"button",
			{ type: "button", class: "bot", "aria-pressed": "false", title: text.choose(seat.name) },
			this.#sign,
			nameOf(seat.name),
			this.#gone,
			this.#place,
		);
		this.#button.addEventListener("click", () => toggle(seat.seat));
		this.#cells = columns.map(() => make("td", { class: "value" }, make("span")));
		this.#points = make("td", { class: "points" });
		this.element = make(
			"tr",
			{ "data-seat": seat.seat },
			make("th", { scope: "row" }, this.#button),
			...this.#cells,
			this.#points,
			this.#latency,
		);
	}

	#latency = make("td", { class: "latency", hidden: true, title: text.latencyHint });

	/** @param {number | null | undefined} milliseconds undefined: as before @param {boolean} shown */
	time(milliseconds, shown) {
		this.#latency.hidden = !shown;
		if (milliseconds === undefined) return;
		setText(this.#latency, milliseconds === null ? "–" : milliseconds.toFixed(milliseconds < 10 ? 1 : 0));
	}

	#sign;
	#gone;
	#place;
	#button;
	#cells;
	#points;
	#looks = "";

	/** @param {Row} row @param {number | null} place */
	update(row, place) {
		const looks = `${row.icon} ${row.tone}`;
		if (looks !== this.#looks) this.#dress(row, looks);
		this.#gone.hidden = row.connected;
		this.element.classList.toggle("away", !row.connected);
		this.#place.hidden = place === null;
		if (place !== null) setText(this.#place, `${place}.`);
		this.element.classList.toggle("first", place === 1);
		setText(this.#points, Number.isNaN(row.points) ? "–" : amount(row.points));
		row.cells.forEach((cell, index) => fill(this.#cells[index], cell));
	}

	/** @param {boolean} pressed */
	press(pressed) {
		this.#button.setAttribute("aria-pressed", String(pressed));
		this.element.classList.toggle("chosen", pressed);
	}

	/** @param {Row} row @param {string} looks */
	#dress(row, looks) {
		this.#looks = looks;
		this.element.dataset.tone = row.tone;
		const number = make("span", { class: "number", "aria-hidden": "true" }, String(row.seat));
		this.#sign.replaceChildren(
			icon(row.icon, row.tone),
			number,
			make("span", { class: "unseen" }, `${row.role} `),
		);
	}
}

/** @param {HTMLElement} element @param {import("../types.js").Cell} cell */
function fill(element, cell) {
	setText(/** @type {Node} */ (element.firstChild), cell.text);
	if (cell.share === undefined) return;
	setVariable(element, "--share", clamp(cell.share, 0, 1).toFixed(3));
	element.dataset.tone = cell.tone ?? "";
}
