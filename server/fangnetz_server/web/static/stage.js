/** The field: a canvas that draws a moment, and the flashes of what has just happened. */

import { make } from "./dom.js";
import { FLASH_MS } from "./draw/shapes.js";
import { Surface } from "./draw/surface.js";

/** @typedef {import("../types.js").Effect} Effect */
/** @typedef {import("../types.js").Moment} Moment */
/** @typedef {import("../types.js").Scene} Scene */

/** Flashes at a time; a fast match would cover the field with them. */
const MOST_FLASHES = 24;

export class Stage {
	/** @param {Scene} scene @param {string} label */
	constructor(scene, label) {
		this.scene = scene;
		this.#canvas = make("canvas", { role: "img", "aria-label": label, "data-testid": "field" });
		this.element = make("div", { class: "field" }, this.#canvas);
		this.#surface = new Surface(this.#canvas, () => {
			const { width, height, ratio, palette } = this.#surface;
			if (width > 0) scene.layout(width, height, ratio, palette);
			this.#paint();
		});
	}

	#canvas;
	#surface;
	/** @type {{effect: Effect, since: number}[]} */
	#flashes = [];
	/** @type {Moment | null} */
	#moment = null;
	/** @type {any} */
	drawn = null;

	/** Whether something glows that has to fade. */
	get glowing() {
		return this.#flashes.length > 0;
	}

	/** @param {Effect} effect @param {number} now */
	flash(effect, now) {
		this.#flashes.push({ effect, since: now });
		if (this.#flashes.length > MOST_FLASHES) this.#flashes.shift();
	}

	/** @param {Omit<Moment, "effects">} moment */
	show(moment) {
		this.#flashes = this.#flashes.filter((flash) => moment.now - flash.since < FLASH_MS);
		const effects = this.#flashes.map(({ effect, since }) => ({ effect, age: moment.now - since }));
		this.#moment = { ...moment, effects };
		this.#paint();
	}

	close() {
		this.#surface.close();
	}

	#paint() {
		if (this.#surface.width > 0) this.drawn = this.scene.paint(this.#surface.context, this.#moment);
	}
}
