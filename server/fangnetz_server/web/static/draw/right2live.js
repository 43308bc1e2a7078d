/** Right2Live on a canvas: the walls and the poison once, the players afresh in every picture. */

import { fitGrid, poison, sightPolygon } from "../geometry.js";
import { blendPlayers } from "../timeline/interpolate.js";
import { circlePath, dropPath, paintChosen, paintFlash, rimmedText, shortName, wedgePath } from "./shapes.js";
import { aim, layer } from "./surface.js";

/** @typedef {import("../../types.js").Right2LiveSetup} Setup */
/** @typedef {import("../../types.js").Right2LiveFrame} Frame */
/** @typedef {import("../../types.js").Moment} Moment */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {ReturnType<typeof blendPlayers>[number]} Player */
/** @typedef {CanvasRenderingContext2D} Context */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box */

/** Room round the map, in fields. */
const MARGIN = 0.3;
/** A player is drawn larger than a small field, or nobody could tell the shapes apart. */
const SMALL_RADIUS = 8;
/** Numbers and rings need some room. */
const NUMBER_RADIUS = 7;
const RING_RADIUS = 9;
const FULL_LIFE = 100;
const TURN = Math.PI * 2;

export class Right2LiveScene {
	/** @param {Setup} setup @param {string[]} names by seat */
	constructor(setup, names, fovDegrees = 179) {
		this.fovDegrees = fovDegrees;
		this.rows = setup.map;
		this.toxicity = setup.toxicity ?? null;
		this.columns = setup.map[0].length;
		this.names = names;
		this.aspect = (this.columns + 2 * MARGIN) / (this.rows.length + 2 * MARGIN);
	}

	/** @type {Palette} */
	#palette = /** @type {any} */ (null);
	/** @type {HTMLCanvasElement | null} */
	#ground = null;
	/** @type {HTMLCanvasElement | null} */
	#glow = null;
	#cell = 0;
	#left = 0;
	#top = 0;
	#ratio = 1;
	#radius = 0;
	#zoom = 1;

	/**
	 * @param {number} width CSS pixels
	 * @param {number} height CSS pixels
	 * @param {number} ratio device pixels per CSS pixel
	 * @param {Palette} palette
	 */
	layout(width, height, ratio, palette) {
		const grid = fitGrid(width, height, this.columns + 2 * MARGIN, this.rows.length + 2 * MARGIN);
		this.#cell = grid.cell;
		this.#left = grid.left + MARGIN * grid.cell;
		this.#top = grid.top + MARGIN * grid.cell;
		this.#ratio = ratio;
		this.#palette = palette;
		this.#radius = Math.max(grid.cell * 0.36, Math.min(SMALL_RADIUS, grid.cell / 2 + 2.5));
		this.#glow = this.#makeGlow();
		const { canvas, context } = layer(width * ratio, height * ratio);
		this.#paintGround(context);
		this.#ground = canvas;
	}

	/** @param {Context} context @param {Moment | null} moment */
	paint(context, moment) {
		const before = /** @type {Frame | undefined} */ (moment?.before);
		const after = /** @type {Frame | undefined} */ (moment?.after);
		const all = moment && before && after ? blendPlayers(before.players, after.players, moment.fraction) : [];
		const chosen = all.find((player) => player.seat === moment?.selected);
		const middle = moment?.follow && chosen ? { x: this.#x(chosen.x), y: this.#y(chosen.y) } : null;
		this.#zoom = middle ? 2 : 1;
		aim(context, 1, this.#ratio, middle);
		if (this.#ground) context.drawImage(this.#ground, 0, 0);
		if (!moment || !before) return null;
		aim(context, this.#ratio, this.#ratio, middle);
		const known = moment.fog && moment.seen ? new Set(seatsIn(moment.seen, moment.selected)) : null;
		const players = all.filter((player) => !player.hidden && (!known || known.has(player.seat)));
		if (chosen) this.#paintSight(context, chosen, moment, players);
		if (before.blue > 0) this.#paintThreats(context, players);
		this.#paintFlashes(context, moment);
		this.#paintPlayers(context, players, moment.selected);
		return players;
	}

	/**
	 * Where a player looks, and lines to the opponents that it sees; with fog all the rest lies in the dark.
	 * @param {Context} context
	 * @param {Player} chosen
	 * @param {Moment} moment
	 * @param {Player[]} players
	 */
	#paintSight(context, chosen, moment, players) {
		const blocks = (/** @type {number} */ x, /** @type {number} */ y) =>
			x < 0 || y < 0 || x >= this.columns || y >= this.rows.length || this.#isWall(x, y);
		const width = (this.fovDegrees * Math.PI) / 180;
		const corners = sightPolygon(blocks, chosen.x + 0.5, chosen.y + 0.5, chosen.angle, width);
		context.beginPath();
		for (const [x, y] of corners) context.lineTo(this.#x(x - 0.5), this.#y(y - 0.5));
		context.closePath();
		context.fillStyle = this.#palette.gold;
		context.globalAlpha = 0.13;
		context.fill();
		if (moment.fog) {
			const end = this.#box(this.columns, this.rows.length);
			context.rect(0, 0, (end.left + end.width) / this.#ratio + 99, (end.top + end.height) / this.#ratio + 99);
			context.fillStyle = this.#palette.halo;
			context.globalAlpha = 0.66;
			context.fill("evenodd");
		}
		context.globalAlpha = 0.8;
		context.strokeStyle = this.#palette.gold;
		context.lineWidth = 1.5;
		const seen = new Set(seatsIn(moment.seen));
		for (const other of players) {
			if (!seen.has(other.seat) || other.team === chosen.team) continue;
			context.beginPath();
			context.moveTo(this.#x(chosen.x), this.#y(chosen.y));
			context.lineTo(this.#x(other.x), this.#y(other.y));
			context.stroke();
		}
		context.globalAlpha = 1;
	}

	/** The middle of a field. @param {number} x */
	#x(x) {
		return this.#left + (x + 0.5) * this.#cell;
	}

	/** @param {number} y */
	#y(y) {
		return this.#top + (y + 0.5) * this.#cell;
	}

	/** Where a place of the field is drawn, in CSS pixels. @param {{x: number, y: number}} place */
	spot(place) {
		return { x: this.#x(place.x), y: this.#y(place.y) };
	}

	// ---- what stays ----

	/** @param {Context} context */
	#paintGround(context) {
		const start = this.#box(0, 0);
		const end = this.#box(this.columns, this.rows.length);
		// A map needs no walls at its rim (R1.2), so the rim is drawn as one.
		context.fillStyle = this.#palette.wall;
		context.fillRect(0, 0, context.canvas.width, context.canvas.height);
		context.fillStyle = this.#palette.floor;
		context.fillRect(start.left, start.top, end.left - start.left, end.top - start.top);
		this.#eachField((x, y) => this.#paintPoison(context, x, y));
		this.#paintGrid(context);
		this.#eachField((x, y) => this.#isWall(x, y) && this.#paintWall(context, x, y));
	}

	/** @param {(x: number, y: number) => void} visit */
	#eachField(visit) {
		for (let y = 0; y < this.rows.length; y += 1) for (let x = 0; x < this.columns; x += 1) visit(x, y);
	}

	/** @param {number} x @param {number} y */
	#isWall(x, y) {
		return this.rows[y]?.[x] === "#";
	}

	/**
	 * The edges of a field in whole device pixels, so that neighbours leave no seam.
	 * @param {number} x
	 * @param {number} y
	 */
	#box(x, y) {
		const left = Math.round((this.#left + x * this.#cell) * this.#ratio);
		const top = Math.round((this.#top + y * this.#cell) * this.#ratio);
		const right = Math.round((this.#left + (x + 1) * this.#cell) * this.#ratio);
		const bottom = Math.round((this.#top + (y + 1) * this.#cell) * this.#ratio);
		return { left, top, width: right - left, height: bottom - top };
	}

	/** @param {Context} context @param {number} x @param {number} y */
	#paintPoison(context, x, y) {
		const strength = poison(this.toxicity?.[y]?.[x]);
		if (strength === 0 || this.#isWall(x, y)) return;
		const box = this.#box(x, y);
		context.globalAlpha = 0.1 + 0.75 * strength;
		context.fillStyle = this.#palette.poison;
		context.fillRect(box.left, box.top, box.width, box.height);
		context.globalAlpha = 1;
	}

	/** @param {Context} context */
	#paintGrid(context) {
		if (this.#cell < 7) return;
		const line = Math.max(1, Math.round(this.#ratio / 2));
		const end = this.#box(this.columns, this.rows.length);
		const start = this.#box(0, 0);
		context.fillStyle = this.#palette.grid;
		for (let x = 1; x < this.columns; x += 1) {
			context.fillRect(this.#box(x, 0).left, start.top, line, end.top - start.top);
		}
		for (let y = 1; y < this.rows.length; y += 1) {
			context.fillRect(start.left, this.#box(0, y).top, end.left - start.left, line);
		}
	}

	/**
	 * A block with a lit top, and a shade on the floor below it.
	 * @param {Context} context
	 * @param {number} x
	 * @param {number} y
	 */
	#paintWall(context, x, y) {
		const { left, top, width, height } = this.#box(x, y);
		context.fillStyle = this.#palette.wall;
		context.fillRect(left, top, width, height);
		const edge = Math.max(1, Math.round(height * 0.14));
		if (!this.#isWall(x, y - 1)) {
			context.fillStyle = this.#palette["wall-edge"];
			context.fillRect(left, top, width, edge);
		}
		if (y + 1 < this.rows.length && !this.#isWall(x, y + 1)) {
			context.globalAlpha = 0.22;
			context.fillStyle = "#000";
			context.fillRect(left, top + height, width, edge);
			context.globalAlpha = 1;
		}
	}

	/** Where a red can touch (R5.3), fading out. */
	#makeGlow() {
		const reach = Math.max(this.#cell * 1.9, this.#radius * 2.4);
		const { canvas, context } = layer(reach * 2 * this.#ratio, reach * 2 * this.#ratio);
		const middle = canvas.width / 2;
		const shade = context.createRadialGradient(middle, middle, 0, middle, middle, middle);
		shade.addColorStop(0, "#000");
		shade.addColorStop(1, "transparent");
		context.fillStyle = shade;
		context.fillRect(0, 0, canvas.width, canvas.height);
		context.globalCompositeOperation = "source-in";
		context.fillStyle = this.#palette.red;
		context.fillRect(0, 0, canvas.width, canvas.height);
		return canvas;
	}

	// ---- what moves ----

	/** @param {Context} context @param {Player[]} players */
	#paintThreats(context, players) {
		if (!this.#glow) return;
		const size = this.#glow.width / this.#ratio;
		context.globalAlpha = 0.5;
		for (const player of players) {
			if (player.team !== "RED") continue;
			context.drawImage(this.#glow, this.#x(player.x) - size / 2, this.#y(player.y) - size / 2, size, size);
		}
		context.globalAlpha = 1;
	}

	/** @param {Context} context @param {Moment} moment */
	#paintFlashes(context, moment) {
		for (const { effect, age } of moment.effects) {
			const flash = {
				x: this.#x(effect.x),
				y: this.#y(effect.y),
				from: effect.from.map((place) => ({ x: this.#x(place.x), y: this.#y(place.y) })),
				colour: effect.kind === "poisoned" ? this.#palette.poison : this.#palette.gold,
				size: Math.max(this.#radius * 1.5, 12),
			};
			paintFlash(context, flash, age, moment.still);
		}
	}

	/** @param {Context} context @param {Player[]} players @param {number | null} selected */
	#paintPlayers(context, players, selected) {
		context.textAlign = "center";
		for (const player of players) this.#paintPlayer(context, player, player.seat === selected);
		context.font = `600 ${Math.max(11, Math.min(15, this.#cell * 0.3))}px ${this.#palette.font}`;
		context.textBaseline = "middle";
		/** @type {Box[]} */
		const taken = [];
		const chosen = players.filter((player) => player.seat === selected);
		for (const player of this.#cell * this.#zoom < 24 ? chosen : [...chosen, ...players]) {
			this.#paintName(context, player, player.seat === selected, taken);
		}
	}

	/** @param {Context} context @param {Player} player @param {boolean} chosen */
	#paintPlayer(context, player, chosen) {
		const [x, y, radius] = [this.#x(player.x), this.#y(player.y), this.#radius];
		const red = player.team === "RED";
		if (chosen) paintChosen(context, x, y, radius + 7, this.#palette);
		(red ? wedgePath : dropPath)(context, x, y, radius, player.angle);
		context.lineJoin = "round";
		context.lineWidth = radius > 9 ? 5 : 3;
		context.strokeStyle = this.#palette.halo;
		context.stroke();
		context.fillStyle = red ? this.#palette.red : this.#palette.blue;
		context.globalAlpha = player.connected === false ? 0.45 : 1;
		context.fill();
		context.globalAlpha = 1;
		if (!red && radius >= RING_RADIUS) this.#paintLife(context, x, y, radius, player.life);
		if (radius >= NUMBER_RADIUS) this.#paintNumber(context, player.seat, x, y);
	}

	/**
	 * What is left of a life, as a ring inside the rim.
	 * @param {Context} context
	 * @param {number} x
	 * @param {number} y
	 * @param {number} radius
	 * @param {number} life
	 */
	#paintLife(context, x, y, radius, life) {
		const share = Math.max(0, Math.min(1, life / FULL_LIFE));
		context.lineWidth = Math.max(2, radius * 0.14);
		context.strokeStyle = this.#palette["on-team"];
		context.globalAlpha = 0.9;
		context.beginPath();
		context.arc(x, y, radius * 0.8, -TURN / 4, -TURN / 4 + TURN * share);
		context.stroke();
		context.globalAlpha = 1;
	}

	/** @param {Context} context @param {number} seat @param {number} x @param {number} y */
	#paintNumber(context, seat, x, y) {
		context.font = `700 ${Math.max(8, this.#radius * 0.95)}px ${this.#palette.font}`;
		context.textBaseline = "middle";
		context.fillStyle = this.#palette["on-team"];
		context.fillText(String(seat), x, y + this.#radius * 0.06);
	}

	/**
	 * Below the player, or above if there is a name already, or not at all.
	 * @param {Context} context
	 * @param {Player} player
	 * @param {boolean} chosen
	 * @param {Box[]} taken
	 */
	#paintName(context, player, chosen, taken) {
		const name = shortName(this.names[player.seat] ?? "", chosen ? 20 : 12);
		const x = this.#x(player.x);
		const half = context.measureText(name).width / 2 + 3;
		for (const side of [1, -1]) {
			const y = this.#y(player.y) + side * (this.#radius * 1.5 + 9);
			const box = { left: x - half, right: x + half, top: y - 8, bottom: y + 8 };
			if (taken.some((other) => overlap(box, other))) continue;
			taken.push(box);
			rimmedText(context, name, x, y, chosen ? this.#palette.gold : this.#palette.ink, this.#palette.halo);
			return;
		}
	}
}

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** The seats whose place a bot knows. @param {any} seen its observation @param {number | null} [own] */
function seatsIn(seen, own = null) {
	const others = (seen?.players ?? []).map((/** @type {{seat: number}} */ player) => player.seat);
	return own === null ? others : [own, ...others];
}
