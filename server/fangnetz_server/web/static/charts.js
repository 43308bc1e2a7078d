/** Small charts of the whole match: a line a bot, in the colour of what it was at the time. */

import { make } from "./dom.js";
import { readPalette } from "./draw/palette.js";
import { words } from "./words.js";

/** @typedef {import("../types.js").Row} Row */
/** @typedef {import("../types.js").GamePage} GamePage */
/** @typedef {import("../types.js").MatchStart} MatchStart */

const HEIGHT = 72;

export class Charts {
	/** @param {GamePage} game @param {MatchStart} start @param {(share: number) => void} seek */
	constructor(game, start, seek) {
		this.#game = game;
		this.#start = start;
		this.#canvases = game.charts.map((chart) => {
			const label = `${chart.title}: ${words.controls.chart}`;
			const canvas = make("canvas", { role: "img", "aria-label": label, height: HEIGHT });
			canvas.addEventListener("click", (event) => seek(event.offsetX / canvas.clientWidth));
			this.element.append(make("figure", {}, make("figcaption", {}, chart.title), canvas));
			return canvas;
		});
	}

	element = make("section", { class: "panel charts", "data-testid": "charts", "aria-label": words.controls.charts });
	#game;
	#start;
	#canvases;
	#seen = "";

	/**
	 * @param {import("./timeline/film.js").Film} film
	 * @param {number} position
	 * @param {number | null} selected
	 */
	update(film, position, selected) {
		const frames = film.overview();
		const seen = `${frames.length} ${film.last} ${Math.floor(position)} ${selected} ${this.element.clientWidth}`;
		if (seen === this.#seen || !this.element.clientWidth) return;
		this.#seen = seen;
		const lines = frames.map((frame) => ({ tick: frame.tick, rows: this.#game.rows(frame, this.#start) }));
		this.#canvases.forEach((canvas, at) => {
			const { value } = this.#game.charts[at];
			paint(canvas, lines, value, Math.max(1, film.last), position, selected);
		});
	}

	/** Colours have changed. */
	renew() {
		this.#seen = "";
	}
}

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{tick: number, rows: Row[]}[]} lines
 * @param {(row: Row) => number} value
 * @param {number} last
 * @param {number} position
 * @param {number | null} selected
 */
function paint(canvas, lines, value, last, position, selected) {
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
	context.fillStyle = palette.ink;
	context.fillRect(Math.min(width - 1.5, x(position)), 0, 1.5, HEIGHT);
}
