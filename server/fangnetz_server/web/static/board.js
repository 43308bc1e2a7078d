/** All that is on the page once the match is known: the field, the score, the events, and the time. */

import { Charts } from "./charts.js";
import { Controls } from "./controls.js";
import { make, sentenceText, setText, setVariable } from "./dom.js";
import { EventList } from "./events.js";
import { Loader } from "./history.js";
import { wishOf } from "./keys.js";
import { legend, matchHead, message } from "./parts.js";
import { resultBanner } from "./result.js";
import { Scoreboard } from "./scoreboard.js";
import { address, addressWith, fromAddress } from "./settings.js";
import { Sight } from "./sight.js";
import { Stage } from "./stage.js";
import { Film } from "./timeline/film.js";
import { Player, SPEEDS } from "./timeline/player.js";
import { words } from "./words.js";

/** @typedef {import("../types.js").MatchStart} MatchStart */
/** @typedef {import("../types.js").MatchEnd} MatchEnd */
/** @typedef {import("../types.js").Frame} Frame */
/** @typedef {import("../types.js").GamePage} GamePage */
/** @typedef {import("../types.js").Scene} Scene */
/** @typedef {import("./timeline/film.js").Happening} Happening */

const text = words.viewer;
/** Frames behind the moment shown, for trails. */
const TRAIL = 90;
/** The score changes no more often than an eye can read, and the list while somebody drags the bar. */
const SCORE_MS = 80;
const LIST_MS = 150;
/** Events listed after a jump in time, and the ticks before it with all their details. */
const LISTED = 200;
const RECENT = 60;
/** With a wide map and so many bots the events go below the field, otherwise below the score. */
const WIDE = 1.45;
/** The first picture, for whoever measures. */
const FIRST = "fangnetz.first";
/** Beside a narrower field there is room for the charts. */
const TALL = 1.3;
const MANY_BOTS = 10;

/** What a bot that plays on this page, or the one file of an exported replay, has instead of the server's past. */
/** @typedef {{own?: number, offline?: boolean}} Mode */

export class Board {
	/** @param {GamePage} game @param {MatchStart} start @param {HTMLElement} root @param {Mode} [mode] */
	constructor(game, start, root, mode = {}) {
		this.#start = start;
		this.#root = root;
		this.#mode = mode;
		this.#game = game;
		this.#film = new Film((event) => !this.#game.tell(event).main);
		this.#film.whole = mode.offline === true;
		this.#player = new Player(this.#film, start);
		this.#loader = new Loader(start.match, this.#film, () => this.#loaded());
		this.#hud = this.#game.hud(start);
		const scene = this.#game.scene(start);
		this.#stage = scene || !game.raw ? new Stage(/** @type {Scene} */ (scene), this.#label()) : game.raw();
		this.#events = new EventList((seat) => this.#nameAt(seat), (tick) => this.#seek(tick));
		this.#score = new Scoreboard(this.#game, start, (seat) => this.#choose(seat));
		this.#controls = new Controls(
			this.#player,
			{
				press: (what) => this.press(what),
				seek: (tick) => this.#seek(tick),
				speed: (speed) => this.#setSpeed(speed),
			},
			this.#game.tick,
		);
		this.#charts = new Charts(this.#game, start, (share) => this.#seek(Math.round(share * this.#film.last)));
		this.#build(scene?.aspect ?? 1);
		const listening = { signal: this.#listening.signal };
		if (mode.own === undefined) document.addEventListener("keydown", (event) => this.#key(event), listening);
		const renew = () => (this.#charts.renew(), this.#controls.renew());
		addEventListener("theme", renew, listening);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", renew, listening);
		this.#openLink();
		this.#say("start", { start });
		this.#frameRequest = requestAnimationFrame((now) => this.#tick(now));
	}

	#start;
	#root;
	#mode;
	#game;
	#film;
	#player;
	#loader;
	#hud;
	#stage;
	#events;
	#score;
	#controls;
	#charts;
	#frameRequest;
	#listening = new AbortController();
	#still = matchMedia("(prefers-reduced-motion: reduce)");
	#tickText = make("b", { "data-testid": "tick" }, "–");
	#phaseChip = make("span", { class: "chip" });
	#overlay = message(text.waiting);
	#strip = make("div", { class: "strip" });
	/** @type {HTMLElement | null} */
	#banner = null;
	/** @type {number | null} */
	#selected = null;
	#follow = false;
	#fog = false;
	/** @type {Sight | null} */
	#sight = null;
	/** @type {MatchEnd | null} */
	#end = null;
	#announced = false;
	#stale = true;
	#position = -1;
	/** The marks that were known when the list was filled. @type {number[]} */
	#listed = [];
	/** Events up to this tick are in the list. */
	#told = -1;
	#scoredAt = 0;
	#listedAt = 0;
	/** @type {Frame | null} */
	#scored = null;
	#opened = false;
	/** The moment that the address asks for. @type {number | null} */
	#wanted = null;

	/** @param {Frame} frame */
	push(frame) {
		const first = this.#film.last < 0;
		this.#player.push(frame, performance.now());
		if (!first) return;
		this.#told = frame.tick - 1;
		if (this.#mode.own === undefined && !this.#mode.offline && frame.tick > 0) void this.#loader.overview();
	}

	/** @param {MatchEnd} end */
	end(end) {
		this.#end = end;
		this.#player.over = true;
		this.#stale = true;
	}

	/** Where a bot is drawn, in CSS pixels of the canvas. @param {number} seat */
	spotOf(seat) {
		const drawn = this.#stage.drawn?.find?.((/** @type {{seat: number}} */ one) => one.seat === seat);
		return (drawn && this.#stage.scene?.spot(drawn)) ?? null;
	}

	/** After a time in the background: the newest state at once. */
	catchUp() {
		this.#player.clock.jump();
		this.#stale = true;
	}

	close() {
		cancelAnimationFrame(this.#frameRequest);
		this.#listening.abort();
		this.#loader.close();
		this.#sight?.close();
		this.#stage.close();
		this.#events.close();
	}

	snapshot() {
		const { live, playing, speed } = this.#player;
		return {
			match: this.#start.match,
			game: this.#start.game,
			phase: this.#root.dataset.phase,
			tick: this.#scored?.tick ?? null,
			latest: this.#film.last,
			position: this.#position,
			frame: this.#scored,
			drawn: this.#stage.drawn,
			selected: this.#selected,
			follow: this.#follow,
			fog: this.#fog,
			seen: this.#sight?.at(Math.floor(this.#position)) ?? null,
			live,
			playing,
			speed,
			result: this.#announced ? this.#end : null,
		};
	}

	/** A command from the keyboard, a button, or the page around an embedded one. @param {string} what @param {any} [value] */
	press(what, value) {
		const player = this.#player;
		const acts = /** @type {Record<string, () => void>} */ ({
			toggle: () => player.toggle(),
			play: () => player.play(),
			pause: () => player.pause(),
			back: () => player.step(-1),
			on: () => player.step(1),
			last: () => player.jump(-1),
			next: () => player.jump(1),
			first: () => this.#seek(0),
			live: () => player.goLive(),
			faster: () => this.#setSpeed(SPEEDS[SPEEDS.indexOf(player.speed) + 1] ?? player.speed),
			slower: () => this.#setSpeed(SPEEDS[SPEEDS.indexOf(player.speed) - 1] ?? player.speed),
			speed: () => SPEEDS.includes(value) && this.#setSpeed(value),
			seek: () => Number.isFinite(value) && this.#seek(value),
			choose: () => this.#start.seats.some(({ seat }) => seat === value) && this.#score.toggle(value),
			follow: () => this.#selected !== null && (this.#follow = !this.#follow),
			fog: () => this.#selected !== null && this.#game.sees && (this.#fog = !this.#fog),
			link: () => void this.#copyLink(),
		});
		acts[what]?.();
		this.#stale = true;
		this.#remember();
	}

	/** @param {number} tick */
	#seek(tick) {
		this.#player.seek(tick);
		this.#stale = true;
		this.#remember();
	}

	/** @param {number} speed */
	#setSpeed(speed) {
		this.#player.speed = speed;
		this.#remember();
	}

	/** @param {KeyboardEvent} event */
	#key(event) {
		const wish = wishOf(event);
		if (!wish) return;
		this.press(wish.what, wish.value);
		event.preventDefault();
	}

	/** The address of this very moment. */
	#here() {
		const { live, speed } = this.#player;
		return {
			tick: live ? null : Math.floor(this.#player.position),
			speed: speed === 1 ? null : speed,
			player: this.#selected,
			follow: this.#follow ? 1 : null,
			fog: this.#fog ? 1 : null,
		};
	}

	#remember() {
		if (this.#mode.own === undefined && this.#opened) address(this.#here());
	}

	async #copyLink() {
		const link = addressWith({ ...this.#here(), tick: Math.floor(this.#player.position) });
		await navigator.clipboard?.writeText(link).catch(() => {});
		address({ tick: Math.floor(this.#player.position) });
		this.#events.say(words.controls.copied);
		setText(this.#phaseChip, words.controls.copied);
	}

	#openLink() {
		const number = (/** @type {string} */ name) => {
			const given = fromAddress(name);
			return given !== null && /^\d+(\.\d+)?$/.test(given) ? Number(given) : null;
		};
		if (this.#mode.own !== undefined) {
			this.#selected = this.#mode.own;
			return;
		}
		this.#wanted = number("tick");
		const speed = number("speed");
		if (speed !== null && SPEEDS.includes(speed)) this.#player.speed = speed;
		const seat = number("player");
		if (seat !== null) this.press("choose", seat);
		this.#follow = this.#selected !== null && fromAddress("follow") !== null;
		this.#fog = this.#selected !== null && fromAddress("fog") !== null;
	}

	/** Frames of the past have come. */
	#loaded() {
		this.#stale = true;
		this.#position = -1;
		if (this.#film.marks === this.#listed) return;
		this.#listed = this.#film.marks;
		this.#list(Math.floor(this.#player.position));
	}

	/** @param {number} aspect */
	#build(aspect) {
		this.#root.classList.toggle("wide", aspect > WIDE && this.#start.seats.length > MANY_BOTS);
		this.#root.classList.toggle("tall", aspect < TALL);
		this.#root.dataset.game = this.#start.game;
		setVariable(this.#root, "--aspect", aspect.toFixed(4));
		this.#stage.element.append(this.#overlay);
		this.#strip.append(this.#hud.element);
		const board = make("div", { class: "panel board" }, this.#strip, this.#stage.element);
		if (this.#mode.own === undefined) board.append(this.#controls.element);
		board.append(legend(this.#game));
		const score = make("section", { class: "panel score-panel", "aria-label": text.score }, this.#score.element);
		const left = make("div", { class: "left" }, board);
		if (this.#game.charts.length && this.#mode.own === undefined) left.append(this.#charts.element);
		this.#root.replaceChildren(
			matchHead(this.#game, this.#start, this.#phaseChip, this.#tickText, !this.#mode.offline),
			make("div", { class: "columns" }, left, score, this.#events.element),
		);
		this.#setPhase("waiting");
	}

	/** @param {number} now */
	#tick(now) {
		this.#frameRequest = requestAnimationFrame((next) => this.#tick(next));
		if (this.#film.last < 0) return;
		if (this.#still.matches) this.#player.clock.jump();
		this.#goToWanted();
		const exact = this.#player.advance(now);
		const position = this.#still.matches ? Math.floor(exact) : exact;
		if (!this.#player.live && !this.#mode.offline) this.#loader.need(position);
		this.#happen(Math.floor(position), now);
		const sample = this.#film.sample(position);
		if (sample && (this.#stale || position !== this.#position || this.#stage.glowing || this.#restless())) {
			const trail = this.#film.trail(position, TRAIL);
			this.#stage.show({ ...sample, trail, now, still: this.#still.matches, ...this.#look(sample.before) });
			this.#tell(sample.before, now);
			this.#stale = false;
			this.#position = position;
		}
		this.#closing();
		this.#draw(exact);
	}

	/** The moment of a shared link, as soon as it is known. */
	#goToWanted() {
		const tick = this.#wanted;
		this.#opened = true;
		if (tick === null || (tick > this.#film.last && !this.#player.over)) return;
		this.#wanted = null;
		this.#player.seek(tick);
	}

	/** What the viewer wants to be shown of it. @param {Frame} frame */
	#look(frame) {
		const seen = this.#sight?.at(frame.tick) ?? null;
		return { selected: this.#selected, follow: this.#follow, fog: this.#fog, seen };
	}

	/** @param {number} position */
	#draw(position) {
		const look = {
			chosen: this.#selected !== null,
			follow: this.#follow,
			fog: this.#fog,
			canFog: this.#game.sees && !this.#mode.offline,
		};
		this.#controls.update(look);
		this.#controls.mark();
		this.#charts.update(this.#film, position, this.#selected);
	}

	/** Flames flicker between two frames too, while something moves. */
	#restless() {
		return this.#player.moving && !this.#still.matches && this.#stage.scene?.restless === true;
	}

	/** Tell what has happened up to a tick; after a jump only list it. @param {number} tick @param {number} now */
	#happen(tick, now) {
		const passed = tick - this.#told;
		if (passed === 0) return;
		if (passed < 0 || passed > (this.#player.live ? 600 : 64)) {
			// While somebody drags the bar, one of the next pictures tries again.
			if (this.#player.moving || now - this.#listedAt > LIST_MS) this.#list(tick);
			return;
		}
		const happened = this.#film.between(this.#told, tick);
		this.#told = tick;
		for (const { tick: at, event } of happened) {
			const frame = this.#film.sample(at)?.before;
			const effect = frame && this.#game.effect(event, frame, this.#start);
			if (effect) this.#stage.flash(effect, now);
			this.#say("event", { tick: at, event, text: sentenceText(this.#game.tell(event).text, (seat) => this.#nameAt(seat)) });
		}
		if (happened.length) this.#events.add(this.#lines(happened));
	}

	/** @param {Happening[]} happened */
	#lines(happened) {
		return happened.map(({ tick, event }) => ({ tick, told: this.#game.tell(event) }));
	}

	/** Fill the list anew. @param {number} tick */
	#list(tick) {
		this.#told = tick;
		this.#listedAt = performance.now();
		const older = this.#film.told(tick - RECENT, LISTED);
		this.#events.reset(this.#lines([...older, ...this.#film.between(tick - RECENT, tick)]));
	}

	/** Bring the texts to the frame that is drawn. @param {Frame} frame @param {number} now */
	#tell(frame, now) {
		const atEnd = this.#player.atEnd;
		if (frame === this.#scored && !this.#stale) return;
		// Tick 0 is the start position: it is there while the bots are still on their way.
		if (this.#end && !this.#player.live) this.#setPhase("over");
		else if (!this.#announced) this.#setPhase(frame.tick > 0 ? "running" : "waiting");
		this.#overlay.hidden = true;
		const tick = String(frame.tick);
		if (this.#root.dataset.tick !== tick) this.#say("tick", { tick: frame.tick, live: this.#player.live });
		setText(this.#tickText, tick);
		this.#root.dataset.tick = tick;
		if (now - this.#scoredAt < SCORE_MS && !atEnd && this.#player.moving) return;
		this.#scoredAt = now;
		this.#scored = frame;
		this.#hud.update(frame);
		if (performance.getEntriesByName(FIRST).length === 0) performance.mark(FIRST);
		if (!this.#announced || !atEnd) this.#score.update(this.#game.rows(frame, this.#start), null);
	}

	/** At its end the result stands above the field. */
	#closing() {
		if (!this.#end) return;
		const atEnd = this.#player.atEnd && this.#wanted === null;
		if (atEnd && !this.#announced) this.#announce(this.#end);
		if (!this.#banner) return;
		const shown = atEnd ? this.#banner : this.#hud.element;
		if (this.#strip.firstChild === shown) return;
		this.#strip.replaceChildren(shown);
		if (atEnd) this.#scoreEnd(this.#end);
	}

	/** @param {MatchEnd} end */
	#announce(end) {
		this.#announced = true;
		this.#setPhase("over");
		this.#overlay.hidden = true;
		this.#banner = resultBanner(end, this.#game, (seat) => this.#nameAt(seat), this.#mode.offline);
		const words = this.#banner.querySelector("h2")?.textContent ?? "";
		this.#events.say(words);
		this.#say("end", { result: end, text: words });
		if (!this.#mode.offline) void this.#askLatencies();
	}

	/** How long the bots took to answer is known to the server only. */
	async #askLatencies() {
		const url = `api/matches/${encodeURIComponent(this.#start.match)}`;
		const answer = await fetch(url, { signal: this.#listening.signal }).catch(() => null);
		const seats = answer?.ok ? (await answer.json()).result?.seats : null;
		for (const seat of seats ?? []) this.#score.time(seat.seat, seat.stats?.latency_median_ms ?? null);
	}

	/** @param {MatchEnd} end */
	#scoreEnd(end) {
		const frame = this.#film.latest;
		const rows = frame ? this.#game.rows(frame, this.#start) : [];
		this.#score.update(rows.map((row) => ({ ...row, points: end.points[row.seat] ?? row.points })), end.places);
	}

	/** @param {"waiting" | "running" | "over"} phase */
	#setPhase(phase) {
		this.#root.dataset.phase = phase;
		this.#phaseChip.dataset.phase = phase;
		setText(this.#phaseChip, words.phase[phase]);
	}

	/** @param {number | null} seat */
	#choose(seat) {
		this.#selected = seat;
		this.#follow &&= seat !== null;
		this.#fog &&= seat !== null;
		this.#sight?.close();
		this.#sight = null;
		if (seat !== null && this.#game.sees && !this.#mode.offline)
			this.#sight = new Sight(this.#start.match, seat, !this.#player.over, () => (this.#stale = true));
		this.#stale = true;
		this.#remember();
	}

	/** Tell whoever listens: the sound, the page around. @param {string} kind @param {object} detail */
	#say(kind, detail) {
		const about = { kind, match: this.#start.match, game: this.#start.game, ...detail };
		document.dispatchEvent(new CustomEvent("fangnetz", { detail: about }));
	}

	/** @param {number} seat */
	#nameAt(seat) {
		return this.#start.seats.find((entry) => entry.seat === seat)?.name ?? `${text.bot} ${seat}`;
	}

	#label() {
		return `${text.field}: ${this.#start.seats.map((seat) => seat.name).join(", ")}`;
	}
}
