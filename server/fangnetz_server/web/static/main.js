/** The page's entry: which view the address asks for, and what holds for all of them. */

import { make, setText } from "./dom.js";
import { icon } from "./icons.js";
import { address, chosen, fromAddress, keep, language, wear } from "./settings.js";
import { words } from "./words.js";

/** @typedef {import("./connection.js").FeedState} FeedState */
/** @typedef {{element: HTMLElement, close: () => void, snapshot: () => any, press?: (what: string, value?: any) => void}} View */

/** A loss shorter than this is no news. */
const PATIENCE_MS = 700;
/** The order of the switch of themes. */
const THEMES = ["system", "dark", "light"];

const root = /** @type {HTMLElement} */ (document.getElementById("main"));
const pill = /** @type {HTMLElement} */ (document.getElementById("connection"));
const notice = /** @type {HTMLElement} */ (document.getElementById("notice"));
const query = new URLSearchParams(location.search);

/** @type {View | null} */
let view = null;
let lossTimer = 0;
let routed = 0;

/** @param {URLSearchParams} wanted @returns {Promise<View>} */
async function open(wanted) {
	const match = wanted.get("match");
	const replay = document.getElementById("replay");
	if (replay) return (await import("./offline.js")).openReplay(replay, showState);
	if (wanted.has("screen")) return new (await import("./screen.js")).Screen(showState);
	if (wanted.has("play")) return new (await import("./play.js")).Play(wanted.get("play") ?? "", showState);
	if (match !== null) return new (await import("./viewer.js")).Viewer(match, showState);
	return new (await import("./lobby.js")).Lobby(showState);
}

async function route() {
	view?.close();
	view = null;
	routed += 1;
	const mine = routed;
	const next = await open(new URLSearchParams(location.search));
	if (mine !== routed) return next.close();
	view = next;
	root.replaceChildren(view.element);
}

/** @param {FeedState} state @param {() => void} retry */
function showState(state, retry) {
	pill.dataset.state = state;
	setText(pill, words.connection[state]);
	clearTimeout(lossTimer);
	if (state === "lost") lossTimer = window.setTimeout(() => showLoss(retry), PATIENCE_MS);
	else if (state !== "connecting") notice.hidden = true;
}

/** @param {() => void} retry */
function showLoss(retry) {
	const button = make("button", { type: "button", class: "button" }, words.connection.retry);
	button.addEventListener("click", retry);
	notice.replaceChildren(make("span", {}, words.connection.lostHint), button);
	notice.hidden = false;
}

/** Links between views change the view without loading the page anew. @param {MouseEvent} event */
function follow(event) {
	const link = event.target instanceof Element ? event.target.closest("a") : null;
	const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
	if (!link || !plain || link.target || link.hasAttribute("download")) return;
	const url = new URL(link.href);
	if (url.origin !== location.origin || url.pathname !== location.pathname) return;
	event.preventDefault();
	for (const name of ["lang", "theme", "embed"]) {
		const value = fromAddress(name);
		if (value !== null) url.searchParams.set(name, value);
	}
	history.pushState(null, "", url);
	void route();
	scrollTo(0, 0);
	root.focus({ preventScroll: true });
}

// ---- what stands above every view ----

function turnTheme() {
	const theme = THEMES[(THEMES.indexOf(chosen("theme") ?? "system") + 1) % THEMES.length];
	keep("theme", theme);
	wear(theme);
}

async function turnSound() {
	const { switchSound } = await import("./sound.js");
	sound.setAttribute("aria-pressed", String(switchSound()));
}

async function showHelp() {
	(await import("./help.js")).showHelp();
}

/** The other language needs the page anew. */
function turnLanguage() {
	keep("lang", language() === "de" ? "en" : "de");
	location.reload();
}

/** @param {string} label @param {Node | string} sign @param {() => void} act */
function tool(label, sign, act) {
	const button = make("button", { type: "button", class: "tool", title: label, "aria-label": label }, sign);
	button.addEventListener("click", act);
	return button;
}

const sound = tool(words.top.sound, icon("sound"), turnSound);
sound.setAttribute("aria-pressed", "false");

/** @param {KeyboardEvent} event */
function key(event) {
	const typing = event.target instanceof Element && event.target.closest("input[type=text], input[type=search], select");
	if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
	if (event.key === "?") void showHelp();
	else if (event.key === "t") turnTheme();
	else if (event.key === "m") void turnSound();
}

function begin() {
	document.documentElement.lang = language();
	setText(/** @type {Node} */ (document.querySelector(".claim")), words.top.claim);
	setText(/** @type {Node} */ (document.querySelector(".skip")), words.top.skip);
	wear(chosen("theme"));
	const other = tool(words.top.lang, language() === "de" ? "EN" : "DE", turnLanguage);
	other.lang = language() === "de" ? "en" : "de";
	const tools = make("div", { class: "bar-tools" });
	tools.append(sound, tool(words.top.theme, icon("theme"), turnTheme), other, tool(words.top.help, "?", showHelp));
	pill.after(tools);
	document.addEventListener("click", follow);
	document.addEventListener("keydown", key);
	addEventListener("popstate", () => void route());
	for (const name of ["embed", "screen"]) document.documentElement.classList.toggle(name, query.has(name));
	const press = (/** @type {string} */ what, /** @type {any} */ value) => view?.press?.(what, value);
	if (query.has("embed")) void import("./embed.js").then(({ embed }) => embed(press, () => view?.snapshot()));
	Object.assign(window, { fangnetz: { snapshot: () => view?.snapshot() ?? null, press } });
	if (query.get("theme") === "system") address({ theme: null });
	void route();
}

begin();
