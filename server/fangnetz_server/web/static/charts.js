/** Small charts of the whole match: a line a bot, in the colour of what it was at the time. */

import { make, setVariable } from "./dom.js";
import { readPalette } from "./draw/palette.js";
import { words } from "./words.js";

/** @typedef {import("../types.js").Row} Row */
/** @typedef {import("../types.js").GamePage} GamePage */
/** @typedef {import("../types.js").MatchStart} MatchStart */

const HEIGHT = 72;
/** Time between two drawings while the match grows. */
const REST_MS = 400;

export class Charts {
	/** @param {GamePage} game @param {MatchStart} start @param {(share: number) => void} seek */
	constructor(game, start, seek) {
		this.#game = game;
		this.#start = start;
		this.#canvases = game.charts.map((chart) => {
			const label = `${chart.title}: ${words.controls.chart}`;
			const canvas = make("canvas", { role: "img", "aria-label": label, height: HEIGHT });
			canvas.addEventListener("click", (event) => seek(event.offsetX / canvas.clientWidth));
			this.element.append(make("figure", {}, make("figcaption", {}, chart.title), make("div", { class: "plot" }, canvas)));
			return canvas;
		});
	}

	element = make("section", { class: "panel charts", "data-testid": "charts", "aria-label": words.controls.charts });
	#game;
	#start;
	#canvases;
	#seen = "";
	/** @type {number | null} */
	#selected = null;
	#drawnAt = 0;

	/**
	 * The lines are drawn anew only when the match has grown; the moment shown moves by itself.
	 * @param {import("./timeline/film.js").Film} film
	 * @param {number} position
	 * @param {number | null} selected
	 */
	update(film, position, selected) {
		setVariable(this.element, "--share", (position / Math.max(1, film.last)).toFixed(4));
		const now = performance.now();
		const width = this.element.clientWidth;
		const seen = `${film.count} ${film.last} ${selected} ${width}`;
		if (seen === this.#seen || !width || (now - this.#drawnAt < REST_MS && selected === this.#selected)) return;
		this.#seen = seen;
		this.#drawnAt = now;
		this.#selected = selected;
		const frames = film.overview();
		const lines = frames.map((frame) => ({ tick: frame.tick, rows: this.#game.rows(frame, this.#start) }));
		this.#canvases.forEach((canvas, at) => {
			const { value } = this.#game.charts[at];
			paint(canvas, lines, value, Math.max(1, film.last), selected);
		});
	}

	/** Colours have changed. */
	renew() {
		this.#seen = "";
		this.#drawnAt = 0;
	}
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{tick: number, rows: Row[]}[]} lines
 * @param {(row: Row) => number} value
 * @param {number} last
 * @param {number | null} selected
 */
function paint(canvas, lines, value, last, selected) {
	const palette = readPalette();
	const ratio = Math.min(devicePixelRatio || 1, 3);
	const width = canvas.clientWidth;
	canvas.width = width * ratio;
	canvas.height = HEIGHT * ratio;
	const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
	context.scale(ratio, ratio);
	const x = (/** @type {number} */ tick) => (tick / last) * width;
	const values = lines.flatMap((line) => line.rows.map(value)).filter(Number.isFinite);
	const [least, most] = values.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [Infinity, 1]);
	const scale = (HEIGHT - 6) / Math.max(1, most - least);
	const y = (/** @type {number} */ amount) => HEIGHT - 3 - (amount - least) * scale;
	context.strokeStyle = palette.grid;
	context.strokeRect(0, HEIGHT - 3, width, 0);
	for (const { seat } of lines[0]?.rows ?? []) {
		const chosen = seat === selected;
		context.lineWidth = chosen ? 2.5 : 1.2;
		context.globalAlpha = chosen || selected === null ? 0.9 : 0.3;
		for (const tone of /** @type {const} */ (["blue", "red"])) {
			context.strokeStyle = chosen ? palette.gold : palette[tone];
			context.beginPath();
			lines.forEach(({ tick, rows }, at) => {
				const row = rows[seat];
				const before = lines[at - 1];
				if (!row || row.tone !== tone) return;
				if (before?.rows[seat]) context.moveTo(x(before.tick), y(value(before.rows[seat])));
				context.lineTo(x(tick), y(value(row)));
			});
			context.stroke();
		}
	}
	context.globalAlpha = 1;
}
