/** The banner at the end of a match: who won, why, and the replay. */

import { make, nameOf } from "./dom.js";
import { icon } from "./icons.js";
import { amount, words } from "./words.js";

/** @typedef {import("../types.js").MatchEnd} MatchEnd */
/** @typedef {import("../types.js").GamePage} GamePage */

const text = words.viewer;
/** Ends without anything to celebrate. */
const VOID = new Set(["aborted", "infra_error"]);
/** More names than this are not spelled out in the head line. */
const NAMED = 3;

/**
 * The seats on the first place. Nobody wins if all share it without a point.
 * @param {{places?: number[] | null, points?: number[] | null}} end
 */
export function winners(end) {
	const places = end.places ?? [];
	const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
	const draw = first.length === places.length && places.length > 1;
	return draw ? [] : first;
}

/**
 * @param {MatchEnd} end
 * @param {GamePage} game
 * @param {(seat: number) => string} nameAt
 * @param {boolean} [offline] there is no server to fetch the replay from
 */
export function resultBanner(end, game, nameAt, offline = false) {
	const link = end.replay && !offline ? replayLink(end.match) : "";
	return make(
		"div",
		{ class: "result", "data-testid": "result", "data-reason": end.reason },
		icon("cup"),
		make(
			"div",
			{ class: "grow" },
			make("h2", {}, ...headline(end, nameAt)),
			make("p", {}, game.reason(end.reason), ...podium(end, nameAt)),
		),
		link,
	);
}

/**
 * "A, B share the first place".
 * @param {{places?: number[] | null, points?: number[] | null, reason?: string | null}} end
 * @param {(seat: number) => string} nameAt
 * @returns {(Node | string)[]}
 */
export function headline(end, nameAt) {
	const seats = winners(end);
	if (VOID.has(end.reason ?? "")) return [text.noResult];
	if (seats.length === 0) return [text.draw];
	const named = seats.slice(0, NAMED).flatMap((seat, index) => [index ? ", " : "", nameOf(nameAt(seat))]);
	const more = seats.length > NAMED ? ` ${words.lobby.others(seats.length - NAMED)}` : "";
	return [...named, more, seats.length === 1 ? text.wins : text.share];
}

/** The first three places. @param {MatchEnd} end @param {(seat: number) => string} nameAt */
function podium(end, nameAt) {
	const order = end.places
		.map((place, seat) => ({ place, seat }))
		.sort((a, b) => a.place - b.place || a.seat - b.seat);
	return order
		.slice(0, 3)
		.map(({ place, seat }) =>
			make(
				"span",
				{ class: "step", "data-place": place },
				`${place}. `,
				nameOf(nameAt(seat)),
				` ${amount(end.points[seat])}`,
			),
		);
}

/** @param {string} match */
function replayLink(match) {
	const href = `api/matches/${encodeURIComponent(match)}/replay`;
	return make(
		"a",
		{ class: "button", href, download: true, title: text.replayHint },
		icon("download"),
		text.replay,
	);
}
