/** Finished matches of a tournament, with repeating and correcting. */

import { make, nameOf } from "../dom.js";
import { command, matchPath } from "./api.js";
import { askFirst } from "./dialog.js";
import { button, heading, table, when } from "./part.js";

const HEADS = ["pairing", "bots and points", "how it ended", "when", ""];

/**
 * @param {any} found
 * @param {() => void} more Shows more of them.
 * @param {(work: Promise<unknown>) => Promise<void>} run
 * @returns {(Node | string)[]}
 */
export function matches(found, more, run) {
	const rows = found.matches.map((/** @type {any} */ line) => [
		line.pairing,
		make("span", { class: line.counts ? "who-played" : "who-played void" }, ...line.seats.map(seat)),
		make("span", {}, line.reason, ...notes(line)),
		when(line.ended_at),
		make("span", { class: "row-tools" }, ...tools(line, run)),
	]);
	const count = make("span", { class: "count" }, String(found.total));
	const rest = found.total > found.matches.length ? [button("Show more", "more", more, "more")] : [];
	return [heading("Finished matches", count), table(HEADS, rows, "matches-table"), ...rest];
}

/** @param {any} seat */
function seat(seat) {
	const absent = seat.presence === "played" ? "" : ` (${seat.presence})`;
	return make("span", {}, nameOf(seat.bot), ` ${seat.points ?? "–"}${absent}`);
}

/** @param {any} line */
function notes(line) {
	const texts = [
		line.counts ? "" : "does not count",
		line.correction ? `changed by the host: ${line.correction}` : "",
		line.detail ?? "",
	];
	return texts.filter(Boolean).map((text) => make("small", { class: "quiet" }, text));
}

/**
 * @param {any} line
 * @param {(work: Promise<unknown>) => Promise<void>} run
 */
function tools(line, run) {
	const watch = make("a", { class: "button small", href: `./?match=${encodeURIComponent(line.match)}` }, "Watch");
	const change = [
		button("Repeat…", `repeat ${line.match}`, () => repeat(line, run), "small"),
		button("Correct…", `correct ${line.match}`, () => correct(line, run), "small"),
	];
	return [...(line.has_replay ? [watch] : []), ...(line.counts ? change : [])];
}

const WHY = { name: "why", label: "Why, for everybody", attributes: { maxlength: 500 } };

/**
 * @param {any} line
 * @param {(work: Promise<unknown>) => Promise<void>} run
 */
function repeat(line, run) {
	askFirst({
		title: `Repeat ${line.pairing}`,
		lines: [
			"Its result counts no more, and the pairing is played again on the same field.",
			"The old result and its replay stay on record.",
		],
		fields: [WHY],
		confirm: "Repeat",
		danger: true,
		act: ({ why }) => run(command(matchPath(line.match, "repeat"), { why })),
	});
}

/**
 * @param {any} line
 * @param {(work: Promise<unknown>) => Promise<void>} run
 */
function correct(line, run) {
	const fields = line.seats.map((/** @type {any} */ seat, /** @type {number} */ at) => ({
		name: `seat${at}`,
		label: `Points of ${seat.bot}`,
		attributes: { type: "number", step: "any", value: seat.points },
	}));
	askFirst({
		title: `Correct ${line.pairing}`,
		lines: [
			"More points are the better place; the tables use it at once. Pairings that were handed out stay.",
			"The old points stay on record, and everybody sees the reason.",
		],
		fields: [...fields, WHY],
		confirm: "Correct",
		danger: true,
		act: ({ why, ...rest }) => {
			const points = fields.map((/** @type {{name: string}} */ field) => Number(rest[field.name]));
			return run(command(matchPath(line.match, "correct"), { points, why }));
		},
	});
}
