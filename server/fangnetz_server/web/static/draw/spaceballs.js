/** Spaceballs on a canvas. The field has y upwards (B1.1), the canvas downwards. */

import { blendBalls } from "../timeline/interpolate.js";
import { paintBody, paintFlame, paintVelocity } from "./balls.js";
import { circlePath, paintChosen, paintFlash, rimmedText, shortName } from "./shapes.js";
import { aim, layer } from "./surface.js";

/** @typedef {import("../../types.js").SpaceballsSetup} Setup */
/** @typedef {import("../../types.js").SpaceballsFrame} Frame */
/** @typedef {import("../../types.js").Ball} Ball */
/** @typedef {import("../../types.js").Place} Place */
/** @typedef {import("../../types.js").Moment} Moment */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {CanvasRenderingContext2D} Context */

/** Room round the field, as a share of its side: there the deadly walls are drawn. */
const MARGIN = 0.018;
/** Net lines of the ground, a tenth of the field apart. */
const MESHES = 10;
/** The velocity line ends where the ball would be after this time without thrust, in seconds. */
const AHEAD = 0.8;
/** The path ahead: so many dots, so many seconds apart. */
const PATH_DOTS = 10;
const PATH_S = 0.2;
/** A ball on a phone is not drawn smaller than this, in pixels. */
const LEAST_RADIUS = 6;
/** A trail gets thinner and paler in so many steps. */
const TRAIL_PIECES = 10;
const TURN = Math.PI * 2;

export class SpaceballsScene {
	/** @param {Setup} setup @param {string[]} names by seat */
	constructor(setup, names) {
		this.setup = setup;
		this.names = names;
		this.aspect = 1;
		this.restless = true;
	}

	/** @type {Palette} */
	#palette = /** @type {any} */ (null);
	/** @type {HTMLCanvasElement | null} */
	#ground = null;
	/** @type {HTMLCanvasElement | null} */
	#mine = null;
	#side = 0;
	#left = 0;
	#bottom = 0;
	#ratio = 1;

	/**
	 * @param {number} width CSS pixels
	 * @param {number} height CSS pixels
	 * @param {number} ratio device pixels per CSS pixel
	 * @param {Palette} palette
	 */
	layout(width, height, ratio, palette) {
		const outer = Math.min(width, height);
		this.#side = outer * (1 - 2 * MARGIN);
		this.#left = (width - this.#side) / 2;
		this.#bottom = (height + this.#side) / 2;
		this.#ratio = ratio;
		this.#palette = palette;
		this.#ground = this.#makeGround(width, height);
		this.#mine = this.#makeMine();
	}

	/** @param {Context} context @param {Moment | null} moment */
	paint(context, moment) {
		const before = /** @type {Frame | undefined} */ (moment?.before);
		const after = /** @type {Frame | undefined} */ (moment?.after);
		const seconds = before && after ? after.time - before.time : 0;
		const balls = moment && before && after ? blendBalls(before.balls, after.balls, seconds, moment.fraction) : [];
		const chosen = moment?.follow && balls.find((ball) => ball.seat === moment.selected);
		const middle = chosen ? { x: this.#x(chosen.x), y: this.#y(chosen.y) } : null;
		aim(context, 1, this.#ratio, middle);
		if (this.#ground) context.drawImage(this.#ground, 0, 0);
		aim(context, this.#ratio, this.#ratio, middle);
		for (const mine of before?.mines ?? this.setup.mines) this.#paintMine(context, mine);
		for (const station of before?.stations ?? this.setup.stations) this.#paintStation(context, station);
		if (!moment || !before) return null;
		this.#paintTrails(context, /** @type {Frame[]} */ (moment.trail), balls);
		this.#paintHunt(context, balls, before.defender, moment);
		this.#paintFlashes(context, moment);
		for (const ball of balls) this.#paintBall(context, ball, before.defender, moment);
		for (const ball of balls) this.#paintName(context, ball);
		return balls;
	}

	/** @param {number} x */
	#x(x) {
		return this.#left + x * this.#side;
	}

	/** @param {number} y */
	#y(y) {
		return this.#bottom - y * this.#side;
	}

	/** @param {number} seat */
	#colour(seat) {
		// B1.5: seat 0 is red, seat 1 is blue.
		return seat === 0 ? this.#palette.red : this.#palette.blue;
	}

	/** What the eye needs at least, whatever the true size. @param {number} length @param {number} least */
	#size(length, least) {
		return Math.max(length * this.#side, least);
	}

	/** Where a place of the field is drawn, in CSS pixels. @param {{x: number, y: number}} place */
	spot(place) {
		return { x: this.#x(place.x), y: this.#y(place.y) };
	}

	// ---- what stays ----

	/** @param {number} width @param {number} height */
	#makeGround(width, height) {
		const { canvas, context } = layer(width * this.#ratio, height * this.#ratio);
		context.scale(this.#ratio, this.#ratio);
		const outer = Math.min(width, height);
		context.fillStyle = this.#palette.floor;
		context.fillRect(0, 0, width, height);
		context.beginPath();
		context.rect((width - outer) / 2, (height - outer) / 2, outer, outer);
		context.fillStyle = this.#palette.wall;
		context.fill();
		context.save();
		context.clip();
		this.#paintHatch(context, width, height);
		context.restore();
		context.fillStyle = this.#palette.floor;
		context.fillRect(this.#left, this.#bottom - this.#side, this.#side, this.#side);
		this.#paintNet(context);
		return canvas;
	}

	/**
	 * Stripes say: touching a wall is the end (B4.3).
	 * @param {Context} context
	 * @param {number} width
	 * @param {number} height
	 */
	#paintHatch(context, width, height) {
		const step = Math.max(8, this.#side * MARGIN);
		context.strokeStyle = this.#palette.stripe;
		context.lineWidth = step * 0.45;
		context.beginPath();
		for (let at = -height; at < width; at += step * 1.4) {
			context.moveTo(at, height);
			context.lineTo(at + height, 0);
		}
		context.stroke();
	}

	/** @param {Context} context */
	#paintNet(context) {
		context.strokeStyle = this.#palette.grid;
		context.lineWidth = 1;
		context.beginPath();
		for (let mesh = 1; mesh < MESHES; mesh += 1) {
			const at = mesh / MESHES;
			context.moveTo(this.#x(at), this.#y(0));
			context.lineTo(this.#x(at), this.#y(1));
			context.moveTo(this.#x(0), this.#y(at));
			context.lineTo(this.#x(1), this.#y(at));
		}
		context.stroke();
	}

	/** A mine in its true size: its whole disc is deadly. */
	#makeMine() {
		const radius = this.setup.mine_radius * this.#side;
		const size = (radius + 2) * 2;
		const { canvas, context } = layer(size * this.#ratio, size * this.#ratio);
		context.scale(this.#ratio, this.#ratio);
		context.translate(size / 2, size / 2);
		context.fillStyle = this.#palette.mine;
		context.globalAlpha = 0.2;
		circlePath(context, 0, 0, radius);
		context.fill();
		context.globalAlpha = 1;
		context.strokeStyle = this.#palette.mine;
		context.lineWidth = 1.5;
		context.stroke();
		this.#paintMineCore(context, radius);
		return canvas;
	}

	/** @param {Context} context @param {number} radius */
	#paintMineCore(context, radius) {
		context.strokeStyle = context.fillStyle = this.#palette["mine-core"];
		context.lineWidth = Math.max(1.5, radius * 0.13);
		context.lineCap = "round";
		context.beginPath();
		for (let spike = 0; spike < 8; spike += 1) {
			const angle = (spike * TURN) / 8;
			context.moveTo(0, 0);
			context.lineTo(Math.cos(angle) * radius * 0.68, Math.sin(angle) * radius * 0.68);
		}
		context.stroke();
		circlePath(context, 0, 0, radius * 0.42);
		context.fill();
	}

	// ---- what moves ----

	/** @param {Context} context @param {Place} mine */
	#paintMine(context, mine) {
		if (!this.#mine) return;
		const size = this.#mine.width / this.#ratio;
		context.drawImage(this.#mine, this.#x(mine.x) - size / 2, this.#y(mine.y) - size / 2, size, size);
	}

	/** A diamond round the true size. @param {Context} context @param {Place} station */
	#paintStation(context, station) {
		const [x, y] = [this.#x(station.x), this.#y(station.y)];
		const size = this.#size(this.setup.station_radius * 1.7, 7);
		context.beginPath();
		context.moveTo(x, y - size);
		context.lineTo(x + size, y);
		context.lineTo(x, y + size);
		context.lineTo(x - size, y);
		context.closePath();
		context.fillStyle = this.#palette.gold;
		context.globalAlpha = 0.25;
		context.fill();
		context.globalAlpha = 1;
		context.strokeStyle = this.#palette.gold;
		context.lineWidth = 1.5;
		context.lineJoin = "round";
		context.stroke();
		context.fillStyle = this.#palette.gold;
		circlePath(context, x, y, this.#size(this.setup.station_radius * 0.75, 3));
		context.fill();
	}

	/**
	 * Tapering lines, in few strokes: a line of constant width is far cheaper than its pieces.
	 * @param {Context} context
	 * @param {Frame[]} frames
	 * @param {Ball[]} balls
	 */
	#paintTrails(context, frames, balls) {
		context.lineCap = "butt";
		context.lineJoin = "round";
		balls.forEach((ball, index) => {
			const places = frames.flatMap((frame) => frame.balls[index] ?? []);
			places.push(ball);
			context.strokeStyle = this.#colour(ball.seat);
			for (let piece = 0; piece < TRAIL_PIECES; piece += 1) {
				const part = (piece + 1) / TRAIL_PIECES;
				context.globalAlpha = 0.55 * part * part;
				context.lineWidth = Math.max(1, this.#size(this.setup.ball_radius, LEAST_RADIUS) * 1.1 * part);
				const from = Math.floor((piece / TRAIL_PIECES) * (places.length - 1));
				this.#paintLine(context, places.slice(from, Math.floor(part * (places.length - 1)) + 1));
			}
		});
		context.globalAlpha = 1;
	}

	/** @param {Context} context @param {Ball[]} places */
	#paintLine(context, places) {
		context.beginPath();
		for (const place of places) context.lineTo(this.#x(place.x), this.#y(place.y));
		context.stroke();
	}

	/**
	 * Chevrons that run from the hunter to the hunted.
	 * @param {Context} context
	 * @param {Ball[]} balls
	 * @param {number | null} defender
	 * @param {Moment} moment
	 */
	#paintHunt(context, balls, defender, moment) {
		const hunted = balls.find((ball) => ball.seat === defender);
		const hunter = balls.find((ball) => ball.seat !== defender);
		if (!hunted || !hunter) return;
		const [x, y] = [this.#x(hunter.x), this.#y(hunter.y)];
		const [dx, dy] = [this.#x(hunted.x) - x, this.#y(hunted.y) - y];
		const length = Math.hypot(dx, dy);
		const gap = 26;
		const shift = moment.still ? 0 : (moment.now / 28) % gap;
		context.save();
		context.translate(x, y);
		context.rotate(Math.atan2(dy, dx));
		context.strokeStyle = this.#colour(hunter.seat);
		context.lineWidth = 2;
		context.globalAlpha = 0.55;
		context.beginPath();
		for (let at = gap + shift; at < length - gap; at += gap) {
			context.moveTo(at - 4, -4);
			context.lineTo(at, 0);
			context.lineTo(at - 4, 4);
		}
		context.stroke();
		context.restore();
	}

	/** @param {Context} context @param {Moment} moment */
	#paintFlashes(context, moment) {
		const { gold, mine } = this.#palette;
		for (const { effect, age } of moment.effects) {
			const flash = {
				x: this.#x(effect.x),
				y: this.#y(effect.y),
				from: effect.from.map((place) => ({ x: this.#x(place.x), y: this.#y(place.y) })),
				colour: effect.kind === "mine_removed" ? mine : gold,
				size: this.#size(effect.kind === "refuelled" ? 0.02 : 0.04, 12),
			};
			paintFlash(context, flash, age, moment.still);
		}
	}

	/** @param {Context} context @param {Ball} ball @param {number | null} defender @param {Moment} moment */
	#paintBall(context, ball, defender, moment) {
		const radius = this.#size(this.setup.ball_radius, LEAST_RADIUS);
		const [x, y] = [this.#x(ball.x), this.#y(ball.y)];
		const pen = { context, palette: this.#palette, colour: this.#colour(ball.seat), x, y, radius };
		if (ball.seat === moment.selected) paintChosen(context, x, y, radius * 2.4, this.#palette);
		this.#paintAhead(pen, ball);
		paintVelocity(pen, ball.vx * AHEAD * this.#side, -ball.vy * AHEAD * this.#side);
		const flicker = moment.still ? 1 : 0.88 + 0.12 * Math.sin(moment.now / 23 + ball.seat * 2);
		if (ball.ax || ball.ay) paintFlame(pen, ball, flicker);
		paintBody(pen, ball.seat, defender === null ? "even" : defender === ball.seat ? "hunted" : "hunter");
	}

	/**
	 * Dots where it will be if it goes on like this, and the circle inside which it could stop.
	 * @param {import("./balls.js").Pen} pen
	 * @param {Ball} ball
	 */
	#paintAhead({ context, colour, x, y, radius }, ball) {
		context.fillStyle = context.strokeStyle = colour;
		context.globalAlpha = 0.6;
		for (let dot = 1; dot <= PATH_DOTS; dot += 1) {
			const time = dot * PATH_S;
			const place = { x: ball.x + (ball.vx + (ball.ax * time) / 2) * time, y: ball.y + (ball.vy + (ball.ay * time) / 2) * time };
			if (Math.min(place.x, place.y) < 0 || Math.max(place.x, place.y) > 1) break;
			circlePath(context, this.#x(place.x), this.#y(place.y), 1.6);
			context.fill();
		}
		const braking = ((ball.vx ** 2 + ball.vy ** 2) / (2 * this.setup.thrust)) * this.#side;
		if (braking > radius * 1.5) {
			context.globalAlpha = 0.35;
			context.lineWidth = 1;
			context.setLineDash([4, 5]);
			circlePath(context, x, y, braking);
			context.stroke();
			context.setLineDash([]);
		}
		context.globalAlpha = 1;
	}

	/** @param {Context} context @param {Ball} ball */
	#paintName(context, ball) {
		const name = shortName(this.names[ball.seat] ?? "", 16);
		const radius = this.#size(this.setup.ball_radius, LEAST_RADIUS);
		context.font = `600 ${Math.max(11, Math.min(16, this.#side * 0.019))}px ${this.#palette.font}`;
		context.textAlign = "center";
		const half = context.measureText(name).width / 2 + 4;
		const x = Math.max(this.#x(0) + half, Math.min(this.#x(1) - half, this.#x(ball.x)));
		const above = ball.y < 0.93;
		context.textBaseline = above ? "bottom" : "top";
		const y = this.#y(ball.y) + (above ? -1 : 1) * (radius * 2.3 + 4);
		rimmedText(context, name, x, y, this.#palette.ink, this.#palette.halo);
	}
}
