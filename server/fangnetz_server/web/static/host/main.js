/** The host's page: make, start and watch tournaments, and decide what only a host may decide. */

import { make, nameOf } from "../dom.js";
import { icon } from "../icons.js";
import { chosen, keep, wear } from "../settings.js";
import { Refusal, ask, command, pathOf, tournaments } from "./api.js";
import { askForFile } from "./create.js";
import { matches } from "./matches.js";
import { Part, button, chip, heading, share, table } from "./part.js";
import { progress } from "./progress.js";
import { crosstable, standings } from "./tables.js";

const REFRESH_MS = 2_000;
const A_PAGE = 20;
const THEMES = ["system", "dark", "light"];

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const notice = /** @type {HTMLElement} */ (document.getElementById("notice"));
const tools = /** @type {HTMLElement} */ (document.getElementById("tools"));

/** Say what went wrong, or nothing. @param {string} [text] */
function say(text = "") {
	notice.textContent = text;
	notice.hidden = text === "";
}

// ---- who asks ----

function showLogin() {
	tools.hidden = true;
	if (main.querySelector("form.ask")) return; // Somebody may be typing.
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
		const me = await command("api/login", { token: token.value }).catch((error) => error);
		say(me instanceof Error ? me.message : me.role === "host" ? "" : "This is not the token of the host.");
		if (me.role === "host") if ((await ask("api/me").catch(() => null))?.role === "guest") showLogin();
else await show();
	});
	main.replaceChildren(form);
	token.focus();
}

async function logOut() {
	await command("api/logout");
	location.reload();
}

function turnTheme() {
	const theme = THEMES[(THEMES.indexOf(chosen("theme") ?? "system") + 1) % THEMES.length];
	keep("theme", theme);
	wear(theme);
}

// ---- what is shown ----

const parts = {
	list: new Part("list"),
	progress: new Part("progress"),
	standings: new Part("standings"),
	crosstable: new Part("crosstable"),
	matches: new Part("matches"),
	log: new Part("log"),
};
const page = make("div", { class: "lobby host" }, ...Object.values(parts).map((part) => part.element));

/** The tournament whose tables are shown. */
let opened = decodeURIComponent(location.hash.slice(1));
let shown = A_PAGE;
/** Each look has a number: an answer that comes too late is thrown away. */
let looks = 0;

async function show() {
	looks += 1;
	const mine = looks;
	try {
		const known = await tournaments();
		if (!known.some((one) => one.id === opened)) opened = known[0]?.id ?? "";
		const found = opened ? await details(opened) : null;
		if (mine === looks) draw(known, found);
	} catch (error) {
		if (error instanceof Refusal && (error.status === 401 || error.status === 403)) showLogin();
		else say(error instanceof Error ? error.message : String(error));
	}
}

/** @param {string} id */
async function details(id) {
	const [one, played, log] = await Promise.all([
		ask(pathOf(id)),
		ask(pathOf(id, `matches?limit=${shown}`)),
		ask(`api/host/audit?limit=10&target=${encodeURIComponent(id)}`),
	]);
	return { one, played, log };
}

/** @param {any[]} known @param {{one: any, played: any, log: any[]} | null} found */
function draw(known, found) {
	if (!page.isConnected) main.replaceChildren(page);
	tools.hidden = false;
	say();
	parts.list.show([known, opened], () => list(known));
	if (found === null) return [parts.progress, parts.standings, parts.crosstable, parts.matches, parts.log].forEach((part) => part.show(null, () => []));
	const { one, played, log } = found;
	const { tables, crosstable: cross, ...head } = one;
	parts.progress.show(head, () => progress(one, run));
	parts.standings.show([one.id, one.state, tables], () => tables.flatMap((/** @type {any} */ found) => standings(one, found, run)));
	parts.crosstable.show(cross, () => crosstable(cross));
	parts.matches.show(played.total ? played : null, () => matches(played, more, run));
	parts.log.show(log.length ? log : null, () => logOf(log));
}

/** Do what a button says, then show what it led to. @param {Promise<unknown>} work */
async function run(work) {
	const inDialog = document.querySelector("dialog[open]") !== null;
	try {
		await work;
	} catch (error) {
		if (inDialog) throw error;
		return say(error instanceof Error ? error.message : String(error));
	}
	if ((await ask("api/me").catch(() => null))?.role === "guest") showLogin();
else await show();
}

function more() {
	shown *= 2;
	void show();
}

/** @param {any[]} known */
function list(known) {
	const rows = known.map((one) => {
		const attributes = { href: `#${encodeURIComponent(one.id)}`, "data-key": one.id, "aria-current": one.id === opened && "true" };
		return [chip(one.state), make("a", attributes, nameOf(one.name)), one.game, one.format.replaceAll("_", " "), String(one.bots), share(one.progress)];
	});
	const heads = ["state", "tournament", "game", "format", "bots", "matches"];
	const empty = make("p", { class: "message" }, "No tournament yet.");
	const add = button("New tournament…", "new", () => askForFile(open), "main");
	return [heading("Tournaments", add), rows.length ? table(heads, rows) : empty];
}

/** @param {string} id */
async function open(id) {
	opened = id;
	shown = A_PAGE;
	history.replaceState(null, "", `#${encodeURIComponent(id)}`);
	if ((await ask("api/me").catch(() => null))?.role === "guest") showLogin();
else await show();
}

/** @param {any[]} log */
function logOf(log) {
	const rows = log.map((line) => {
		const details = Object.entries(line.details).map(([key, value]) => `${key}: ${value}`);
		return [new Date(line.at).toLocaleString(), line.command, details.join(", "), line.who];
	});
	return [heading("Who did what"), table(["when", "command", "", "who"], rows, "log")];
}

addEventListener("hashchange", () => void open(decodeURIComponent(location.hash.slice(1))));
const theme = make("button", { type: "button", class: "tool", title: "Theme", "aria-label": "Theme" }, icon("theme"));
theme.addEventListener("click", turnTheme);
tools.append(theme, button("Log out", "logout", logOut));
wear(chosen("theme"));
setInterval(() => document.hidden || main.querySelector("form.ask") || void show(), REFRESH_MS);
if ((await ask("api/me").catch(() => null))?.role === "guest") showLogin();
else await show();
