/** A canvas that is as sharp as the screen and says when it has to be laid out anew. */

import { readPalette } from "./palette.js";

export class Surface {
	/**
	 * @param {HTMLCanvasElement} canvas
	 * @param {() => void} changed called when size, sharpness or colours have changed
	 */
	constructor(canvas, changed) {
		this.canvas = canvas;
		const context = canvas.getContext("2d", { alpha: false });
		if (!context) throw new Error("this browser gives no 2d canvas");
		this.context = context;
		this.palette = readPalette();
		this.#changed = changed;
		this.#observer.observe(canvas);
		this.#watchTheme();
		this.#watchRatio();
	}

	width = 0;
	height = 0;
	ratio = 1;
	#changed;
	#listening = new AbortController();
	#observer = new ResizeObserver(() => this.#fit());

	close() {
		this.#observer.disconnect();
		this.#listening.abort();
	}

	#fit() {
		this.ratio = Math.min(devicePixelRatio || 1, 3);
		this.width = this.canvas.clientWidth;
		this.height = this.canvas.clientHeight;
		this.canvas.width = Math.max(1, Math.round(this.width * this.ratio));
		this.canvas.height = Math.max(1, Math.round(this.height * this.ratio));
		this.#changed();
	}

	#watchTheme() {
		const repaint = () => {
			this.palette = readPalette();
			this.#changed();
		};
		const listening = { signal: this.#listening.signal };
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint, listening);
		addEventListener("theme", repaint, listening);
	}

	/** The ratio changes when the window moves to another screen or is zoomed; each query knows one value only. */
	#watchRatio() {
		const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
		const renew = () => {
			this.#fit();
			this.#watchRatio();
		};
		query.addEventListener("change", renew, { once: true, signal: this.#listening.signal });
	}
}

/**
 * A canvas in memory, for what stays the same over many pictures.
 * @param {number} width device pixels
 * @param {number} height device pixels
 */
export function layer(width, height) {
	const canvas = document.createElement("canvas");
	canvas.width = Math.max(1, Math.ceil(width));
	canvas.height = Math.max(1, Math.ceil(height));
	const context = canvas.getContext("2d");
	if (!context) throw new Error("this browser gives no 2d canvas");
	return { canvas, context };
}

/** How much nearer a followed bot is. */
const NEAR = 2;

/**
 * Set the canvas to the whole field, or to the part round a place.
 * @param {CanvasRenderingContext2D} context
 * @param {number} ratio device pixels per unit of what is drawn next
 * @param {number} dense device pixels per CSS pixel
 * @param {{x: number, y: number} | null | undefined} middle in CSS pixels
 */
export function aim(context, ratio, dense, middle) {
	const { width, height } = context.canvas;
	const zoom = middle ? NEAR : 1;
	const shift = (/** @type {number} */ at, /** @type {number} */ size) =>
		Math.min(0, Math.max(size * (1 - zoom), size / 2 - at * dense * zoom));
	const [left, top] = middle ? [shift(middle.x, width), shift(middle.y, height)] : [0, 0];
	context.setTransform(ratio * zoom, 0, 0, ratio * zoom, left, top);
	context.imageSmoothingEnabled = !middle;
}
