/** Keys, pointer and gamepad as one wish: where to go and where to look, x to the right and y down. */

/** @typedef {{x: number, y: number}} Vector */

/** @type {Record<string, [number, number]>} */
const KEYS = {
	ArrowUp: [0, -1],
	ArrowDown: [0, 1],
	ArrowLeft: [-1, 0],
	ArrowRight: [1, 0],
	KeyW: [0, -1],
	KeyS: [0, 1],
	KeyA: [-1, 0],
	KeyD: [1, 0],
};
const DIRECTIONS = ["EAST", "SOUTH_EAST", "SOUTH", "SOUTH_WEST", "WEST", "NORTH_WEST", "NORTH", "NORTH_EAST"];
/** A stick that is let go is never quite at rest. */
const DEAD = 0.25;
const STILL = { x: 0, y: 0 };

/** The direction of the eight that is nearest; null: none is wanted. @param {Vector} vector */
export function nearestDirection({ x, y }) {
	if (Math.hypot(x, y) < DEAD) return null;
	return DIRECTIONS[(Math.round(Math.atan2(y, x) / (Math.PI / 4)) + 8) % 8];
}

export class Steering {
	constructor() {
		const listening = { signal: this.#listening.signal };
		addEventListener("keydown", (event) => this.#key(event, true), listening);
		addEventListener("keyup", (event) => this.#key(event, false), listening);
		addEventListener("blur", () => this.#held.clear(), listening);
	}

	#listening = new AbortController();
	/** @type {Set<string>} */
	#held = new Set();
	/** @type {Vector | null} */
	#pointer = null;
	#pressed = false;
	/** @type {() => Vector | null} */
	#spot = () => null;

	/** Where the pointer is counts from here. @param {HTMLCanvasElement | null} canvas @param {() => Vector | null} spot */
	aimAt(canvas, spot) {
		this.#spot = spot;
		if (!canvas) return;
		const listening = { signal: this.#listening.signal };
		const move = (/** @type {PointerEvent} */ event) => (this.#pointer = { x: event.offsetX, y: event.offsetY });
		canvas.addEventListener("pointermove", move, listening);
		canvas.addEventListener("pointerdown", (event) => (move(event), (this.#pressed = true)), listening);
		canvas.addEventListener("pointerleave", () => (this.#pointer = null), listening);
		addEventListener("pointerup", () => (this.#pressed = false), listening);
		addEventListener("pointercancel", () => (this.#pressed = false), listening);
	}

	/** What is wanted now. */
	read() {
		const pad = navigator.getGamepads?.().find((one) => one?.connected);
		const stick = (/** @type {number} */ at) => ({ x: pad?.axes[at] ?? 0, y: pad?.axes[at + 1] ?? 0 });
		const wishes = [this.#keys(), this.#pressed ? this.#pointed() : STILL, stick(0)];
		const move = wishes.find(({ x, y }) => Math.hypot(x, y) >= DEAD) ?? STILL;
		const look = nearestDirection(stick(2)) ? stick(2) : this.#pointed();
		return { move, look };
	}

	close() {
		this.#listening.abort();
	}

	#keys() {
		const wish = { ...STILL };
		for (const code of this.#held) {
			wish.x += KEYS[code][0];
			wish.y += KEYS[code][1];
		}
		return wish;
	}

	/** From the own bot to the pointer. */
	#pointed() {
		const from = this.#spot();
		return from && this.#pointer ? { x: this.#pointer.x - from.x, y: this.#pointer.y - from.y } : STILL;
	}

	/** @param {KeyboardEvent} event @param {boolean} down */
	#key(event, down) {
		if (!(event.code in KEYS) || (event.target instanceof Element && event.target.closest("input, dialog"))) return;
		if (down) this.#held.add(event.code);
		else this.#held.delete(event.code);
		event.preventDefault();
	}
}
