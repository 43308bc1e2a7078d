/** What the page says about a match of Spaceballs. */

import { make, nameOf, setText, setVariable } from "../dom.js";
import { SpaceballsScene } from "../draw/spaceballs.js";
import { icon } from "../icons.js";
import { reasonText, words } from "../words.js";

/** @typedef {import("../../types.js").SpaceballsFrame} Frame */
/** @typedef {import("../../types.js").MatchStart} MatchStart */
/** @typedef {import("../../types.js").GameEvent} GameEvent */
/** @typedef {import("../../types.js").Place} Place */

const text = words.spaceballs;

/** @type {import("../../types.js").GamePage} */
export const spaceballs = {
	id: "spaceballs",
	title: text.title,
	tick: text.tick,
	columns: [text.fuel],
	charts: [{ title: text.fuel, value: (row) => Number(row.cells[0].text) }],
	sees: false,
	own,
	legend: [
		{ icon: "hunter", tone: "ink", text: text.legend.hunter },
		{ icon: "hunted", tone: "ink", text: text.legend.hunted },
		{ icon: "station", tone: "gold", text: text.legend.station },
		{ icon: "mine", tone: "mine", text: text.legend.mine },
	],
	scene: (start) =>
		new SpaceballsScene(
			start.setup,
			start.seats.map((seat) => seat.name),
		),
	hud: makeHud,
	rows,
	tell,
	effect,
	reason: (reason) => reasonText(text.reason, reason),
};

/** @param {number} seat */
function toneOf(seat) {
	return seat === 0 ? "red" : "blue";
}

/** @param {Frame} frame @param {MatchStart} start */
function rows(frame, start) {
	const all = Math.max(1, start.setup.stations.length);
	return frame.balls.map((ball) => {
		const role = frame.defender === null ? "ball" : frame.defender === ball.seat ? "hunted" : "hunter";
		return {
			seat: ball.seat,
			icon: role,
			role: role === "ball" ? text.even : role === "hunter" ? text.hunter : text.hunted,
			tone: toneOf(ball.seat),
			points: ball.points,
			connected: ball.connected !== false,
			latency: ball.latency_ms,
			cells: [{ text: String(ball.fuel), share: ball.fuel / all, tone: toneOf(ball.seat) }],
		};
	});
}

/** A frame as spectators get it, from what one bot gets. @param {any} seen @param {number} seat */
function own(seen, seat) {
	const mine = { ...seen.me, seat, points: 0 };
	const other = { ...seen.opponent, seat: 1 - seat, points: 0 };
	const defender = mine.fuel === other.fuel ? null : mine.fuel < other.fuel ? seat : 1 - seat;
	return { ...seen, balls: seat ? [other, mine] : [mine, other], defender };
}

/** The time as a bar, and who hunts whom. @param {MatchStart} start */
function makeHud(start) {
	const whole = start.setup.steps * start.setup.dt;
	const clock = make("b", { class: "clock" });
	const left = make("span", { class: "note" });
	const hunt = make("p", { class: "hunt" });
	const bar = make("div", { class: "time", "aria-hidden": "true" }, make("i", {}));
	const element = make(
		"div",
		{ class: "hud" },
		make("div", { class: "sides" }, hunt, make("span", { class: "spring" }), left, clock),
		bar,
	);
	let shown = "";
	/** @param {any} frame */
	function update(frame) {
		setText(clock, `${frame.time.toFixed(1)} / ${text.seconds(whole)}`);
		setText(left, text.left(frame.stations.length));
		setVariable(bar, "--share", Math.min(1, frame.time / whole));
		if (shown === String(frame.defender)) return;
		shown = String(frame.defender);
		hunt.replaceChildren(...huntText(frame, start));
	}
	return { element, update };
}

/** @param {Frame} frame @param {MatchStart} start */
function huntText(frame, start) {
	if (frame.defender === null) return [text.evenLong];
	const hunter = frame.balls.find((ball) => ball.seat !== frame.defender)?.seat ?? 0;
	const [a, b] = [toneOf(hunter), toneOf(frame.defender)];
	const name = (/** @type {number} */ seat) => nameOf(start.seats[seat]?.name ?? "");
	return [icon("hunter", a), name(hunter), text.hunts, icon("hunted", b), name(frame.defender)];
}

/** @param {GameEvent} event @returns {import("../../types.js").Told} */
function tell(event) {
	const who = { seat: event.seat ?? 0 };
	switch (event.kind) {
		case "refuelled":
			return { text: [who, text.refuelled], icon: "station", main: true };
		case "mine_removed":
			return { text: [text.removed], icon: "mine", main: true };
		case "crashed":
			return {
				text: [who, event.into === "mine" ? text.crashedMine : text.crashedWall],
				icon: "catch",
				main: true,
			};
		case "caught":
			return { text: [{ seat: Number(event.by) }, text.caught, who], icon: "catch", main: true };
		case "timeout":
			return { text: [text.timeout], icon: "time", main: true };
		default:
			return { text: [event.kind], icon: "grid", main: false };
	}
}

/** @param {GameEvent} event @param {Frame} frame @param {MatchStart} start */
function effect(event, frame, start) {
	const place = placeOf(event, frame, start);
	if (!place) return null;
	const by = frame.balls.find((ball) => ball.seat === event.by);
	return { kind: event.kind, x: place.x, y: place.y, from: by ? [by] : [] };
}

/**
 * Where an event happened. What has vanished is no longer in the frame, but ids stay (B1.4).
 * @param {GameEvent} event
 * @param {Frame} frame
 * @param {MatchStart} start
 */
function placeOf(event, frame, start) {
	const byId = (/** @type {Place} */ place) => place.id === (event.station ?? event.mine);
	if (event.kind === "refuelled") return start.setup.stations.find(byId);
	if (event.kind === "mine_removed") return start.setup.mines.find(byId);
	return frame.balls.find((ball) => ball.seat === event.seat);
}
