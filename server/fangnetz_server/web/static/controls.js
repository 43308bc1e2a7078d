/** The bar below the field: time, speed, and what is shown. */

import { make, setText } from "./dom.js";
import { icon } from "./icons.js";
import { SPEEDS } from "./timeline/player.js";
import { words } from "./words.js";

/** @typedef {import("./timeline/player.js").Player} Player */
/** @typedef {"toggle" | "back" | "on" | "last" | "next" | "live" | "follow" | "fog" | "link"} Press */

const text = words.controls;

export class Controls {
	/**
	 * @param {Player} player
	 * @param {{press: (what: Press) => void, seek: (tick: number) => void, speed: (speed: number) => void}} handlers
	 * @param {string} tickName
	 */
	constructor(player, handlers, tickName) {
		this.#player = player;
		this.#tickName = tickName;
		const button = (/** @type {Press} */ what, /** @type {string} */ sign, flipped = false) => {
			const element = make("button", { type: "button", class: "tool", title: text[what], "data-press": what });
			element.append(icon(sign, flipped ? "flipped" : ""), make("span", { class: "unseen" }, text[what]));
			element.addEventListener("click", () => handlers.press(what));
			return element;
		};
		this.#toggle = button("toggle", "pause");
		this.#follow = button("follow", "follow");
		this.#fog = button("fog", "eye");
		this.#live = make("button", { type: "button", class: "tool live-button" }, text.live);
		this.#live.addEventListener("click", () => handlers.press("live"));
		this.#slider.addEventListener("input", () => handlers.seek(Number(this.#slider.value)));
		this.#speed.addEventListener("change", () => handlers.speed(Number(this.#speed.value)));
		this.element = make(
			"div",
			{ class: "controls", role: "group", "aria-label": text.label, "data-testid": "controls" },
			make("div", { class: "scrub" }, this.#marks, this.#slider),
			make(
				"div",
				{ class: "tools" },
				button("last", "next", true),
				button("back", "step", true),
				this.#toggle,
				button("on", "step"),
				button("next", "next"),
				this.#speed,
			),
			make(
				"div",
				{ class: "tools extras" },
				this.#follow,
				this.#fog,
				button("link", "link"),
				this.#live,
			),
		);
	}

	#player;
	#tickName;
	#toggle;
	#follow;
	#fog;
	#live;
	#slider = make("input", { type: "range", min: 0, max: 0, step: 1, value: 0, "aria-label": text.time });
	#marks = make("canvas", { class: "marks", width: 600, height: 8, "aria-hidden": "true" });
	#speed = make(
		"select",
		{ class: "tool", "aria-label": text.speed, title: text.speed },
		...SPEEDS.map((speed) => make("option", { value: speed, selected: speed === 1 }, `${speed}×`)),
	);
	#drawn = "";

	/** @param {{chosen: boolean, follow: boolean, fog: boolean, canFog: boolean}} look */
	update(look) {
		const player = this.#player;
		const last = String(Math.max(0, player.film.last));
		const tick = String(Math.floor(player.position));
		if (this.#slider.max !== last) this.#slider.max = last;
		if (this.#slider.value !== tick) {
			this.#slider.value = tick;
			this.#slider.setAttribute("aria-valuetext", `${this.#tickName} ${tick}`);
		}
		const state = player.moving ? "pause" : "play";
		if (this.#toggle.dataset.state !== state) {
			this.#toggle.dataset.state = state;
			this.#toggle.firstChild?.replaceWith(icon(state));
			setText(/** @type {Node} */ (this.#toggle.lastChild), (this.#toggle.title = text[state]));
		}
		if (this.#speed.value !== String(player.speed)) this.#speed.value = String(player.speed);
		this.#live.hidden = player.over;
		this.#live.setAttribute("aria-pressed", String(player.live));
		this.#follow.hidden = !look.chosen;
		this.#follow.setAttribute("aria-pressed", String(look.follow));
		this.#fog.hidden = !look.chosen || !look.canFog;
		this.#fog.setAttribute("aria-pressed", String(look.fog));
	}

	/** Colours have changed. */
	renew() {
		this.#drawn = "";
	}

	/** Show where something happened. */
	mark() {
		const { marks, last } = this.#player.film;
		const drawn = `${marks.length} ${last}`;
		const context = this.#marks.getContext("2d");
		if (drawn === this.#drawn || !context) return;
		this.#drawn = drawn;
		context.clearRect(0, 0, 600, 8);
		context.fillStyle = getComputedStyle(this.#speed).color;
		for (const tick of marks) context.fillRect((tick / Math.max(1, last)) * 598, 0, 2, 8);
	}
}
