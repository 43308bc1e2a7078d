/** The list of matches, which updates by itself. */

import { Feed } from "./connection.js";
import { make, nameOf, setText, setVariable } from "./dom.js";
import { gameWords } from "./games.js";
import { icon } from "./icons.js";
import { headline, winners } from "./result.js";
import { Tables } from "./tables.js";
import { Thumb } from "./thumb.js";
import { words } from "./words.js";

/** @typedef {import("../types.js").MatchEntry} MatchEntry */
/** @typedef {import("../types.js").MatchesMessage} MatchesMessage */

const text = words.lobby;
/** Names on a card; the rest is a number. */
const NAMED = 4;
/** Games that a person may play. */
const GAMES = ["right2live", "spaceballs"];
/** Finished matches shown at first, and added by each press of "more". */
const PAGE = 24;
/** Finished matches remembered. The server has the rest. */
const REMEMBERED = 500;

export class Lobby {
	/** @param {(state: import("./connection.js").FeedState, retry: () => void) => void} showState */
	constructor(showState) {
		document.title = words.title;
		this.#live = new Section(text.live, "live");
		this.#finished = new Section(text.finished, "finished");
		this.#more.addEventListener("click", () => this.#showMore());
		this.#finished.element.append(this.#more);
		this.element = make(
			"section",
			{ class: "lobby", "data-testid": "lobby", "data-state": "loading" },
			make("h1", { class: "unseen" }, words.title),
			make("div", { class: "lobby-tools" }, this.#search, ...GAMES.map(playLink)),
			this.#live.element,
			this.#tables.element,
			this.#finished.element,
		);
		this.#search.addEventListener("input", () => this.#render());
		this.#live.say(text.loading);
		this.#finished.element.hidden = true;
		this.#feed = new Feed("watch", {
			message: (heard) => {
				if (heard.type === "matches") this.#hear(heard);
				if (heard.type === "tournaments") this.#tables.hear(heard);
			},
			state: (state) => showState(state, () => this.#feed.retry()),
		});
	}

	#feed;
	#live;
	#finished;
	#more = make("button", { type: "button", class: "button more", hidden: true });
	/** @type {Map<string, MatchEntry>} */
	#entries = new Map();
	/** @type {Map<string, Card>} */
	#cards = new Map();
	#tables = new Tables();
	#search = make("input", {
		type: "search",
		class: "search",
		placeholder: text.search,
		"aria-label": text.search,
	});
	#shown = PAGE;
	#request = 0;

	close() {
		cancelAnimationFrame(this.#request);
		this.#feed.close();
		this.#tables.close();
		for (const card of this.#cards.values()) card.close();
	}

	snapshot() {
		return { view: "lobby", matches: [...this.#entries.values()] };
	}

	/** @param {MatchesMessage} heard */
	#hear(heard) {
		if (heard.full) this.#entries.clear();
		// The whole list has the newest first, the map here last, where new ones are added.
		for (const entry of heard.full ? heard.matches.toReversed() : heard.matches)
			this.#entries.set(entry.match, entry);
		this.#forget();
		if (!this.#request) this.#request = requestAnimationFrame(() => this.#render());
	}

	#forget() {
		const over = [...this.#entries.values()].filter((entry) => entry.phase === "over");
		for (const entry of over.slice(0, -REMEMBERED)) this.#entries.delete(entry.match);
	}

	#showMore() {
		this.#shown += PAGE;
		this.#render();
	}

	#render() {
		this.#request = 0;
		this.element.dataset.state = "ready";
		const wanted = this.#search.value.trim().toLocaleLowerCase();
		const newest = [...this.#entries.values()]
			.filter((entry) => entry.seats.some((seat) => seat.name.toLocaleLowerCase().includes(wanted)) || !wanted)
			.reverse();
		const live = newest.filter((entry) => entry.phase !== "over");
		const over = newest.filter((entry) => entry.phase === "over");
		const shown = over.slice(0, this.#shown);
		this.#live.show(
			live.map((entry) => this.#card(entry)),
			wanted ? text.noHit : text.empty,
			wanted ? "" : text.emptyHint,
		);
		this.#finished.show(
			shown.map((entry) => this.#card(entry)),
			text.nothingFinished,
		);
		this.#finished.element.hidden = over.length === 0;
		this.#more.hidden = over.length <= shown.length;
		setText(this.#more, text.more(Math.min(PAGE, over.length - shown.length)));
		const kept = new Set([...live, ...shown].map((entry) => entry.match));
		for (const [match, card] of this.#cards) {
			if (kept.has(match)) continue;
			card.close();
			this.#cards.delete(match);
		}
	}

	/** @param {MatchEntry} entry */
	#card(entry) {
		let card = this.#cards.get(entry.match);
		if (!card) this.#cards.set(entry.match, (card = new Card(entry)));
		card.update(entry);
		return card.element;
	}
}

class Section {
	/** @param {string} title @param {string} kind */
	constructor(title, kind) {
		this.element = make(
			"section",
			{ class: kind },
			make("h2", {}, title, this.#count),
			this.#note,
			this.#list,
		);
	}

	#count = make("span", { class: "count" });
	#note = make("div", { class: "message" });
	#list = make("ul", { class: "matches" });

	/** @param {HTMLElement[]} cards @param {string} empty @param {string} [hint] */
	show(cards, empty, hint = "") {
		const same =
			cards.length === this.#list.childElementCount &&
			cards.every((card, at) => card === this.#list.children[at]);
		if (!same) this.#list.replaceChildren(...cards);
		setText(this.#count, cards.length ? String(cards.length) : "");
		this.#list.hidden = cards.length === 0;
		this.#note.hidden = cards.length > 0;
		if (cards.length === 0) this.say(empty, hint);
	}

	/** @param {string} line @param {string} [hint] */
	say(line, hint = "") {
		this.#note.replaceChildren(make("p", {}, line), hint && make("p", { class: "quiet" }, hint));
	}
}

/** A match in the list. What cannot change is built once. */
class Card {
	/** @param {MatchEntry} entry */
	constructor(entry) {
		const game = gameWords(entry.game);
		this.#game = game;
		this.#link = make(
			"a",
			{
				class: "match",
				href: `?match=${encodeURIComponent(entry.match)}`,
				"data-testid": "match-row",
				"data-match": entry.match,
				"data-game": entry.game,
			},
			make(
				"span",
				{ class: "card-head" },
				make(
					"span",
					{ class: "game" },
					icon(game.icon),
					game.title,
				),
				this.#chip,
			),
			make("span", { class: entry.seats.length > 2 ? "who many" : "who" }, ...who(entry)),
			entry.phase === "over" ? "" : this.#picture(entry.match),
			this.#bar,
			make("span", { class: "card-foot" }, this.#outcome, this.#tick, this.#watching),
		);
		this.element = make("li", {}, this.#link);
	}

	#game;
	#link;
	#chip = make("span", { class: "chip" });
	#bar = make("span", { class: "bar", "aria-hidden": "true" }, make("i"));
	#outcome = make("span", { class: "outcome" });
	#tick = make("span", { class: "ticks" });
	#watching = make("span", { class: "watching" }, icon("eye"), make("span"));
	#settled = false;

	/** @type {Thumb | null} */
	#thumb = null;

	/** @param {string} match */
	#picture(match) {
		this.#thumb = new Thumb(match);
		return this.#thumb.element;
	}

	close() {
		this.#thumb?.close();
	}

	/** @param {MatchEntry} entry */
	update(entry) {
		const over = entry.phase === "over";
		this.#link.dataset.phase = this.#chip.dataset.phase = entry.phase;
		setText(this.#chip, words.phase[entry.phase] ?? entry.phase);
		const all = entry.ticks === null || over ? "" : words.viewer.of(entry.ticks);
		const here = entry.seats.filter((seat) => seat.connected !== false).length;
		if (entry.phase === "waiting") setText(this.#tick, text.here(here, entry.seats.length));
		else setText(this.#tick, entry.tick > 0 ? `${this.#game.tick} ${entry.tick}${all}` : "");
		this.#bar.hidden = over || entry.ticks === null;
		setVariable(this.#bar, "--share", entry.ticks ? Math.min(1, entry.tick / entry.ticks) : 0);
		this.#watching.hidden = over || !entry.spectators;
		setText(/** @type {Node} */ (this.#watching.lastChild), text.watching(entry.spectators));
		if (over && !this.#settled) this.#settle(entry);
	}

	/** @param {MatchEntry} entry */
	#settle(entry) {
		this.#settled = true;
		this.close();
		this.#thumb?.element.remove();
		const nameAt = (/** @type {number} */ seat) => entry.seats.find((at) => at.seat === seat)?.name ?? "";
		const tone = winners(entry).length ? "gold" : "muted";
		this.#outcome.replaceChildren(icon("cup", tone), make("span", {}, ...headline(entry, nameAt)));
		this.#outcome.title = entry.reason ? this.#game.reason(entry.reason) : "";
	}
}

/** "A vs B", or the first names and how many more. @param {MatchEntry} entry */
function who(entry) {
	const names = entry.seats.map((seat) => nameOf(seat.name));
	if (entry.game === "spaceballs")
		names.forEach((name, seat) => name.prepend(icon("ball", seat ? "blue" : "red")));
	if (names.length === 2) return [names[0], make("span", { class: "versus" }, text.versus), names[1]];
	const more =
		names.length > NAMED ? [make("span", { class: "versus" }, text.others(names.length - NAMED))] : [];
	return [...names.slice(0, NAMED), ...more];
}

/** @param {string} game */
function playLink(game) {
	const { icon: sign, title } = gameWords(game);
	return make("a", { class: "button", href: `?play=${game}` }, icon(sign), `${text.play}: ${title}`);
}
