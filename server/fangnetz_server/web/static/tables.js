/** Tournaments and the ranking, where the server has them. */

import { make, nameOf } from "./dom.js";
import { gameWords } from "./games.js";
import { icon } from "./icons.js";
import { amount, words } from "./words.js";

const text = words.lobby;
const REFRESH_MS = 15_000;
const GAMES = ["right2live", "spaceballs"];
/** Bots shown of each ranking. */
const SHOWN = 10;

/**
 * Tournaments come from the stream of the lobby; the ratings are asked for.
 *   GET api/ratings?game=right2live: {"ratings": [{"name", "rating", "deviation", "matches"}]}, best first;
 *   the deviation is half the width of the interval that holds the true strength, about 95 %.
 */
export class Tables {
	constructor() {
		void this.#renew();
		this.#timer = window.setInterval(() => document.hidden || void this.#renew(), REFRESH_MS);
	}

	element = make("div", { class: "tables", "data-testid": "tables", hidden: true });
	#timer;
	/** @type {HTMLElement[]} */
	#tournaments = [];
	/** @type {HTMLElement[]} */
	#rankings = [];

	close() {
		clearInterval(this.#timer);
	}

	/** @param {import("../types.js").TournamentsMessage} heard */
	hear(heard) {
		this.#tournaments = heard.tournaments.map(tournament);
		this.#show();
	}

	async #renew() {
		const answers = await Promise.all(GAMES.map((game) => fetched(`api/ratings?game=${game}&limit=${SHOWN}`)));
		this.#rankings = answers.flatMap((answer, at) => (answer?.ratings?.length ? [ranking(GAMES[at], answer.ratings)] : []));
		this.#show();
	}

	#show() {
		const parts = [...this.#tournaments, ...this.#rankings];
		this.element.replaceChildren(...parts);
		this.element.hidden = parts.length === 0;
	}
}

/** @param {string} path @returns {Promise<any>} */
async function fetched(path) {
	const answer = await fetch(path).catch(() => null);
	const json = answer?.ok && answer.headers.get("content-type")?.includes("json");
	return json ? answer.json().catch(() => null) : null;
}

/** @param {import("../types.js").TournamentEntry} one */
function tournament(one) {
	const path = `api/tournaments/${encodeURIComponent(one.id)}`;
	const rows = one.standings.map((line) => {
		const page = `${path}/bots/${encodeURIComponent(line.name)}?format=html`;
		return [String(line.rank), make("a", { href: page }, nameOf(line.name)), amount(line.points)];
	});
	return table([icon("cup"), make("a", { href: `${path}/export` }, one.name)], text.states[one.state] ?? "", [text.rank, words.viewer.bot, words.viewer.pointsColumn], rows);
}

/** @param {string} game @param {any[]} ratings */
function ranking(game, ratings) {
	const rows = ratings.slice(0, SHOWN).map((line, at) => [
		String(at + 1),
		nameOf(line.name),
		`${Math.round(line.rating)}\u00a0±\u00a0${Math.round(line.deviation)}`,
		String(line.matches ?? ""),
	]);
	const title = `${text.ranking}: ${gameWords(game).title}`;
	const rating = make("abbr", { title: text.ratingHint }, text.rating);
	return table([title], "", [text.rank, words.viewer.bot, rating, text.games], rows);
}

/** @param {(Node | string)[]} title @param {string} note @param {(Node | string)[]} columns @param {(Node | string)[][]} rows */
function table(title, note, columns, rows) {
	const head = make("tr", {}, ...columns.map((column) => make("th", { scope: "col" }, column)));
	const body = rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))));
	return make(
		"section",
		{ class: "panel table-panel" },
		make("h2", {}, ...title, make("span", { class: "count" }, note)),
		make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)),
	);
}
