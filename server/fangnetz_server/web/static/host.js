/** The host's page: start, pause and watch tournaments, with crosstable and what does not work. */

import { make, nameOf } from "./dom.js";

const REFRESH_MS = 2_000;
const HOST = "api/host/tournaments";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const notice = /** @type {HTMLElement} */ (document.getElementById("notice"));

/** What may be done in each state: the command of the API and the word on the button. */
const COMMANDS = /** @type {Record<string, [string, string][]>} */ ({
	created: [["start", "Start"]],
	running: [["pause", "Pause"]],
	paused: [["resume", "Resume"]],
	finished: [],
});

/**
 * Ask the server.
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
async function ask(path, options) {
	const answer = await fetch(path, options);
	const json = await answer.json().catch(() => null);
	if (!answer.ok) throw new Refusal(answer.status, String(json?.detail ?? answer.statusText));
	return json;
}

class Refusal extends Error {
	/** @param {number} status @param {string} message */
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/** @param {string} path @param {object} [body] */
function command(path, body = {}) {
	return ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/** Say what went wrong, or nothing. @param {string} [text] */
function say(text = "") {
	notice.textContent = text;
	notice.hidden = text === "";
}

function showLogin() {
	const token = make("input", { type: "password", id: "token", autocomplete: "current-password", required: true });
	const form = make(
		"form",
		{ class: "panel ask" },
		make("label", { for: "token" }, "Token of the host (host-token in the data folder)"),
		token,
		make("button", { class: "button" }, "Log in"),
	);
	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		const me = await command("api/login", { token: token.value });
		say(me.role === "host" ? "" : "This is not the token of the host.");
		if (me.role === "host") await show();
	});
	main.replaceChildren(form);
	token.focus();
}

/** The tournament whose tables are shown. */
let opened = decodeURIComponent(location.hash.slice(1));

async function show() {
	try {
		const known = await ask(HOST);
		opened ||= known[0]?.id ?? "";
		const details = opened ? await ask(`${HOST}/${encodeURIComponent(opened)}`) : null;
		const parts = [list(known), ...(details ? [progress(details), standings(details), crosstable(details)] : [])];
		main.replaceChildren(make("div", { class: "lobby" }, ...parts));
	} catch (error) {
		if (!(error instanceof Refusal)) say("The server does not answer.");
		else if (error.status === 401 || error.status === 403) showLogin();
		else if (error.status === 404) opened = "";
		else say(error.message);
	}
}

/** @param {any[]} known */
function list(known) {
	const rows = known.map((one) => {
		const link = make("a", { href: `#${encodeURIComponent(one.id)}` }, nameOf(one.name));
		return [one.state, link, one.game, share(one.progress)];
	});
	const empty = make("p", { class: "message" }, "No tournament yet: fangnetz tournament create FILE.toml");
	return section("Tournaments", rows.length ? table(["state", "tournament", "game", "matches"], rows) : empty);
}

/** @param {any} one */
function progress(one) {
	const how = one.progress;
	const lines = [
		`${one.state}: ${share(how)} matches, ${how.running} running, ${how.waiting} waiting`,
		how.expected_end ? `over about ${new Date(how.expected_end).toLocaleString()}` : "",
		how.away.length ? `away: ${how.away.join(", ")}` : "",
		...how.problems,
		...Object.entries(how.stuck).map(([pairing, match]) => `stuck: pairing ${pairing}, newest match ${match}`),
	];
	const buttons = (COMMANDS[one.state] ?? []).map(([name, word]) => button(one.id, name, word));
	if (Object.keys(how.stuck).length) buttons.push(button(one.id, "repeat-failed", "Repeat what failed"));
	const report = make("a", { class: "button", href: `${HOST}/${encodeURIComponent(one.id)}/export` }, "Report");
	const texts = lines.filter(Boolean).map((line) => make("p", {}, line));
	return section(one.name, ...texts, make("div", { class: "lobby-tools" }, ...buttons, report));
}

/** @param {string} id @param {string} name @param {string} word */
function button(id, name, word) {
	const made = make("button", { class: "button", type: "button" }, word);
	made.addEventListener("click", async () => {
		made.disabled = true;
		say();
		await command(`${HOST}/${encodeURIComponent(id)}/${name}`).catch((error) => say(error.message));
		await show();
	});
	return made;
}

/** @param {any} one */
function standings(one) {
	const heads = ["place", "bot", "points", "played", "wins", "draws", "losses", "absent", "faults"];
	const rows = one.tables[0].rows.map((/** @type {any} */ row) => [
		`${row.place}${row.shared ? "=" : ""}`,
		nameOf(row.bot),
		...[row.points, row.played, row.wins, row.draws, row.losses, row.absences, row.faults].map(String),
	]);
	return section("Standings", table(heads, rows));
}

/** @param {any} one */
function crosstable(one) {
	const { bots, cells } = one.crosstable;
	const rows = bots.map((/** @type {string} */ bot, /** @type {number} */ at) => [
		String(at + 1),
		nameOf(bot),
		...cells[at].map(record),
	]);
	return section("Crosstable", table(["", "wins, draws and losses against", ...bots], rows));
}

/** Wins, draws and losses with hyphens that never end a line. @param {number[] | null} cell */
function record(cell) {
	return cell ? `${cell[0]}W\u2011${cell[1]}D\u2011${cell[2]}L` : "";
}

/** @param {any} how */
function share(how) {
	return `${how.done} of ${how.total ?? "∞"}`;
}

/** @param {string} title @param {...Node} parts */
function section(title, ...parts) {
	return make("section", { class: "panel table-panel scrolling" }, make("h2", {}, title), ...parts);
}

/** @param {string[]} heads @param {(Node | string)[][]} rows */
function table(heads, rows) {
	const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
	const body = rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))));
	return make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
}

addEventListener("hashchange", () => {
	opened = decodeURIComponent(location.hash.slice(1));
	void show();
});
setInterval(() => document.hidden || main.querySelector("form") || void show(), REFRESH_MS);
await show();
