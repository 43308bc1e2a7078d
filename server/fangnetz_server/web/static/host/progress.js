/** How far a tournament is, what does not work, and what the host may do about it. */

import { make, nameOf, setVariable } from "../dom.js";
import { ask, command, pathOf } from "./api.js";
import { askFirst } from "./dialog.js";
import { button, chip, share, when } from "./part.js";

/** What may be done in each state: the command of the API and the word on the button. */
const COMMANDS = /** @type {Record<string, [string, string][]>} */ ({
	created: [["start", "Start"]],
	running: [["pause", "Pause"]],
	paused: [["resume", "Resume"]],
	finished: [],
});
const REPORTS = /** @type {[string, string][]} */ ([
	["Report", "export"],
	["CSV", "export?format=csv&part=matches"],
	["Markdown", "export?format=markdown"],
	["JSON", "export?format=json"],
]);

/**
 * @param {any} one
 * @param {(work: Promise<unknown>) => Promise<void>} run Does something and shows what it led to.
 * @returns {(Node | string)[]}
 */
export function progress(one, run) {
	const how = one.progress;
	return [
		make("h2", {}, nameOf(one.name), chip(one.state)),
		bar(how),
		make("p", { class: "figures" }, ...figures(one)),
		...trouble(one, run),
		make("div", { class: "lobby-tools" }, ...commands(one, run)),
	];
}

/** @param {any} how */
function bar(how) {
	const filled = make("i");
	setVariable(filled, "--share", how.total ? how.done / how.total : 0);
	return make("div", { class: "bar", "aria-hidden": "true" }, filled);
}

/** @param {any} one */
function figures(one) {
	const how = one.progress;
	const texts = [
		`${share(how)} matches`,
		`${how.running} running`,
		`${how.waiting} waiting`,
		how.per_minute === null ? "" : `${how.per_minute} a minute`,
		how.expected_end ? `over about ${when(how.expected_end)}` : "",
		one.staged_release ? `public up to round ${one.released_round}` : "",
	];
	return texts.filter(Boolean).map((text) => make("span", {}, text));
}

/**
 * @param {any} one
 * @param {(work: Promise<unknown>) => Promise<void>} run
 */
function trouble(one, run) {
	const how = one.progress;
	const lines = [
		...(how.away.length ? [make("li", {}, `Away, and waited for: ${how.away.join(", ")}`)] : []),
		...how.problems.map((/** @type {string} */ problem) => make("li", {}, problem)),
		...Object.entries(how.stuck).map(([pairing, match]) =>
			make("li", {}, `The server broke pairing ${pairing} again and again; newest match ${match}`),
		),
	];
	if (!lines.length) return [];
	const again = button("Repeat what failed", "repeat-failed", () => run(command(pathOf(one.id, "repeat-failed"))));
	const tools = Object.keys(how.stuck).length ? [again] : [];
	return [make("div", { class: "trouble", role: "status" }, make("ul", {}, ...lines), ...tools)];
}

/**
 * @param {any} one
 * @param {(work: Promise<unknown>) => Promise<void>} run
 */
function commands(one, run) {
	const buttons = (COMMANDS[one.state] ?? []).map(([name, word]) =>
		button(word, "state", () => run(command(pathOf(one.id, name))), "main"),
	);
	if (one.staged_release) buttons.push(button("Release…", "release", () => release(one, run)));
	const links = REPORTS.map(([word, path]) => make("a", { class: "button", href: pathOf(one.id, path) }, word));
	const remove = one.state === "running" ? [] : [button("Delete…", "delete", () => remove_(one, run), "last")];
	return [...buttons, ...links, ...remove];
}

/**
 * @param {any} one
 * @param {(work: Promise<unknown>) => Promise<void>} run
 */
function release(one, run) {
	const next = one.released_round + 1;
	askFirst({
		title: "Release results",
		lines: ["Everybody sees the results, replays and live matches of all rounds up to this one, for good."],
		fields: [{ name: "round", label: "Up to round", attributes: { type: "number", min: 1, value: next } }],
		confirm: "Release",
		danger: true,
		act: ({ round }) => run(command(pathOf(one.id, "release"), { round: Number(round) })),
	});
}

/**
 * @param {any} one
 * @param {(work: Promise<unknown>) => Promise<void>} run
 */
function remove_(one, run) {
	const some = one.progress.done > 0;
	const word = { name: "id", label: `Type ${one.id} to confirm`, attributes: { pattern: one.id.replace(/-/g, "\\-") } };
	askFirst({
		title: `Delete ${one.name}`,
		lines: [some ? `Its ${one.progress.done} results and their replays are gone for good.` : "It has no results yet."],
		fields: some ? [word] : [],
		confirm: "Delete",
		danger: true,
		act: () => run(ask(`${pathOf(one.id)}${some ? "?results=true" : ""}`, { method: "DELETE" })),
	});
}
