/** What the page says about a match of Right2Live. */

import { make, setText, setVariable } from "../dom.js";
import { Right2LiveScene } from "../draw/right2live.js";
import { icon } from "../icons.js";
import { reasonText, words } from "../words.js";

/** @typedef {import("../../types.js").Right2LiveFrame} Frame */
/** @typedef {import("../../types.js").Right2LivePlayer} Player */
/** @typedef {import("../../types.js").MatchStart} MatchStart */
/** @typedef {import("../../types.js").GameEvent} GameEvent */
/** @typedef {import("../../types.js").Phrase} Phrase */

const text = words.right2live;
/** R9: where the ruleset does not say. */
const FOV_DEGREES = 179;

/** @type {import("../../types.js").GamePage} */
export const right2live = {
	id: "right2live",
	title: text.title,
	tick: text.tick,
	columns: [text.life],
	charts: [
		{ title: text.life, value: (row) => (row.cells[0].share ?? 0) * 100 },
		{ title: words.viewer.pointsColumn, value: (row) => row.points },
	],
	sees: true,
	own,
	legend: [
		{ icon: "red", tone: "red", text: text.legend.red },
		{ icon: "blue", tone: "blue", text: text.legend.blue },
		{ icon: "poison", tone: "poison", text: text.legend.poison },
		{ icon: "wall", tone: "wall", text: text.legend.wall },
	],
	scene: (start) =>
		new Right2LiveScene(start.setup, namesOf(start), Number(start.ruleset.fov_degrees ?? FOV_DEGREES)),
	hud: makeHud,
	rows: (/** @type {Frame} */ frame) => frame.players.map(rowOf),
	tell,
	effect,
	reason: (reason) => reasonText(text.reason, reason),
};

/** @param {MatchStart} start */
function namesOf(start) {
	return start.seats.map((seat) => seat.name);
}

/** @param {Player} player */
function rowOf(player) {
	const tone = player.team === "RED" ? "red" : "blue";
	// R4.2: the life of a red no longer matters.
	const life = {
		text: player.life.toFixed(1),
		share: player.life / 100,
		tone: tone === "red" ? "muted" : tone,
	};
	return {
		seat: player.seat,
		icon: tone,
		role: tone === "red" ? text.hunts : text.flees,
		tone,
		points: player.points,
		connected: player.connected !== false,
		cells: [life],
		latency: player.latency_ms,
	};
}

/**
 * A frame as spectators get it, from what one bot gets; those it does not see are hidden in it.
 * @param {any} seen
 * @param {number} seat
 */
function own(seen, seat) {
	const known = new Map([...seen.players, { ...seen.me, seat }].map((player) => [player.seat, player]));
	const players = seen.teams.map((/** @type {string} */ team, /** @type {number} */ at) => ({
		...{ x: 0, y: 0, view: "NORTH", points: NaN, standing: 0, hidden: !known.has(at) },
		...known.get(at),
		...{ seat: at, team, life: seen.lives[at] },
	}));
	const blue = players.filter((/** @type {Player} */ player) => player.team === "BLUE").length;
	return { ...seen, players, blue, red: players.length - blue };
}

/** Blue against red as one bar, and the countdown of R5.4. */
function makeHud() {
	const blue = make("b", {});
	const red = make("b", {});
	const bar = make(
		"div",
		{ class: "tug", "aria-hidden": "true" },
		make("i", { class: "fill-blue" }),
		make("i", { class: "fill-red" }),
	);
	const note = make("p", { class: "note" });
	const element = make(
		"div",
		{ class: "hud" },
		make("div", { class: "sides" }, side("blue", text.flees, blue), bar, side("red", text.hunts, red)),
		note,
	);
	/** @param {any} frame */
	function update(frame) {
		setText(blue, String(frame.blue));
		setText(red, String(frame.red));
		setVariable(bar, "--share", frame.blue / Math.max(1, frame.blue + frame.red));
		setText(note, countdown(frame));
	}
	return { element, update };
}

/** @param {string} tone @param {string} label @param {HTMLElement} count */
function side(tone, label, count) {
	return make("span", { class: `side ${tone}` }, icon(tone, tone), count, make("span", {}, label));
}

/** @param {Frame} frame */
function countdown(frame) {
	if (frame.blue === 0) return text.noneLeft;
	if (frame.next_forced === null) return text.notForced;
	return text.forced(frame.next_forced - frame.tick);
}

/** @param {GameEvent} event @returns {import("../../types.js").Told} */
function tell(event) {
	const who = { seat: event.seat ?? 0 };
	switch (event.kind) {
		case "caught":
			return { text: [...list(seatsOf(event.by)), text.caught, who], icon: "catch", main: true };
		case "poisoned":
			return { text: [who, text.poisoned], icon: "poison", main: true };
		case "forced":
			return { text: [who, text.forcedEvent], icon: "forced", main: true };
		case "blocked":
			return { text: [who, text.blocked], icon: "blocked", main: false };
		default:
			return { text: [event.kind], icon: "grid", main: false };
	}
}

/** @param {number | number[] | undefined} by */
function seatsOf(by) {
	return by === undefined ? [] : [by].flat();
}

/** "A, B and C". @param {number[]} seats @returns {Phrase[]} */
function list(seats) {
	return seats.flatMap((seat, index) => {
		if (index === 0) return [{ seat }];
		return [index === seats.length - 1 ? text.and : text.comma, { seat }];
	});
}

/** @param {GameEvent} event @param {Frame} frame */
function effect(event, frame) {
	if (event.kind === "blocked") return null;
	const places = new Map(frame.players.map((player) => [player.seat, player]));
	const place = places.get(event.seat ?? -1);
	if (!place) return null;
	const from = seatsOf(event.by).flatMap((seat) => places.get(seat) ?? []);
	return { kind: event.kind, x: place.x, y: place.y, from };
}
