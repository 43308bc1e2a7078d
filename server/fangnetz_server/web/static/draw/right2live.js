/** Right2Live on a canvas: the walls and the poison once, the players afresh in every picture. */

import { fitGrid, poison } from "../geometry.js";
import { blendPlayers } from "../timeline/interpolate.js";
import { circlePath, dropPath, paintChosen, paintFlash, rimmedText, shortName, wedgePath } from "./shapes.js";
import { layer } from "./surface.js";

/** @typedef {import("../types.js").Right2LiveSetup} Setup */
/** @typedef {import("../types.js").Right2LiveFrame} Frame */
/** @typedef {import("../types.js").Moment} Moment */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {ReturnType<typeof blendPlayers>[number]} Player */

/** Room round the map, in fields. */
const MARGIN = 0.3;
/** On a phone a field of a large map is smaller than what an eye can tell apart. */
const LEAST_RADIUS = 5;
const FULL_LIFE = 100;
const TURN = Math.PI * 2;

export class Right2LiveScene {
  /**
   * @param {Setup} setup
   * @param {string[]} names by seat
   */
  constructor(setup, names) {
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
  #cell = 0;
  #left = 0;
  #top = 0;
  #ratio = 1;
  #radius = 0;

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
    this.#radius = Math.max(LEAST_RADIUS, grid.cell * 0.36);
    const { canvas, context } = layer(width * ratio, height * ratio);
    this.#paintGround(context);
    this.#ground = canvas;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Moment | null} moment
   */
  paint(context, moment) {
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (this.#ground) context.drawImage(this.#ground, 0, 0);
    if (!moment) return null;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    const before = /** @type {Frame} */ (moment.before);
    const after = /** @type {Frame} */ (moment.after);
    const players = blendPlayers(before.players, after.players, moment.fraction);
    this.#paintThreats(context, players);
    this.#paintFlashes(context, moment);
    this.#paintPlayers(context, players, moment.selected);
    return players;
  }

  /** The middle of a field. @param {number} x */
  #x(x) {
    return this.#left + (x + 0.5) * this.#cell;
  }

  /** @param {number} y */
  #y(y) {
    return this.#top + (y + 0.5) * this.#cell;
  }

  // ---- what stays ----

  /** @param {CanvasRenderingContext2D} context */
  #paintGround(context) {
    context.fillStyle = this.#palette.floor;
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    this.#eachField((x, y) => this.#paintPoison(context, x, y));
    this.#paintGrid(context);
    this.#eachField((x, y) => this.#isWall(x, y) && this.#paintWall(context, x, y));
    this.#paintBorder(context);
  }

  /** @param {(x: number, y: number) => void} visit */
  #eachField(visit) {
    for (let y = 0; y < this.rows.length; y += 1) for (let x = 0; x < this.columns; x += 1) visit(x, y);
  }

  /** @param {number} x @param {number} y */
  #isWall(x, y) {
    return this.rows[y]?.[x] === "#";
  }

  /** The edges of a field in whole device pixels, so that neighbours leave no seam. @param {number} x @param {number} y */
  #box(x, y) {
    const left = Math.round((this.#left + x * this.#cell) * this.#ratio);
    const top = Math.round((this.#top + y * this.#cell) * this.#ratio);
    const right = Math.round((this.#left + (x + 1) * this.#cell) * this.#ratio);
    const bottom = Math.round((this.#top + (y + 1) * this.#cell) * this.#ratio);
    return { left, top, width: right - left, height: bottom - top };
  }

  /** @param {CanvasRenderingContext2D} context @param {number} x @param {number} y */
  #paintPoison(context, x, y) {
    const strength = poison(this.toxicity?.[y]?.[x]);
    if (strength === 0 || this.#isWall(x, y)) return;
    const box = this.#box(x, y);
    context.globalAlpha = 0.1 + 0.75 * strength;
    context.fillStyle = this.#palette.poison;
    context.fillRect(box.left, box.top, box.width, box.height);
    context.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} context */
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

  /** A block with a lit top, and a shade on the floor below it. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y */
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

  /** A map needs no walls at its rim (R1.2), so the rim is drawn. @param {CanvasRenderingContext2D} context */
  #paintBorder(context) {
    const start = this.#box(0, 0);
    const end = this.#box(this.columns, this.rows.length);
    context.lineWidth = Math.max(1, Math.round(MARGIN * 0.6 * this.#cell * this.#ratio));
    context.strokeStyle = this.#palette.wall;
    const grow = context.lineWidth / 2;
    const width = end.left - start.left + 2 * grow;
    const height = end.top - start.top + 2 * grow;
    context.strokeRect(start.left - grow, start.top - grow, width, height);
  }

  // ---- what moves ----

  /** The fields that a red can touch (R5.3), as a glow. @param {CanvasRenderingContext2D} context @param {Player[]} players */
  #paintThreats(context, players) {
    const reach = Math.max(this.#cell * 1.5, this.#radius * 2);
    context.fillStyle = this.#palette.red;
    context.globalAlpha = 0.17;
    for (const player of players) {
      if (player.team !== "RED") continue;
      context.beginPath();
      context.roundRect(this.#x(player.x) - reach, this.#y(player.y) - reach, reach * 2, reach * 2, reach * 0.4);
      context.fill();
    }
    context.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} context @param {Moment} moment */
  #paintFlashes(context, moment) {
    const { gold, poison: green, muted } = this.#palette;
    for (const { effect, age } of moment.effects) {
      const colour = effect.kind === "poisoned" ? green : effect.kind === "blocked" ? muted : gold;
      const small = effect.kind === "blocked";
      const flash = {
        x: this.#x(effect.x),
        y: this.#y(effect.y),
        from: effect.from.map((place) => ({ x: this.#x(place.x), y: this.#y(place.y) })),
        colour,
        size: small ? this.#radius * 0.8 : Math.max(this.#radius * 1.5, 12),
      };
      paintFlash(context, flash, age, moment.still);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {Player[]} players @param {number | null} selected */
  #paintPlayers(context, players, selected) {
    context.textAlign = "center";
    const named = this.#cell >= 24;
    for (const player of players) this.#paintPlayer(context, player, player.seat === selected);
    context.font = `600 ${Math.max(11, Math.min(15, this.#cell * 0.3))}px ${this.#palette.font}`;
    context.textBaseline = "top";
    for (const player of players) {
      if (named || player.seat === selected) this.#paintName(context, player, player.seat === selected);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {Player} player @param {boolean} chosen */
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
    if (!red && radius > 9) this.#paintLife(context, x, y, radius, player.life);
    if (radius >= 6) this.#paintNumber(context, player.seat, x, y);
  }

  /** What is left of a life, as a ring inside the rim. @param {CanvasRenderingContext2D} context @param {number} x @param {number} y @param {number} radius @param {number} life */
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

  /** @param {CanvasRenderingContext2D} context @param {number} seat @param {number} x @param {number} y */
  #paintNumber(context, seat, x, y) {
    context.font = `700 ${Math.max(8, this.#radius * 0.95)}px ${this.#palette.font}`;
    context.textBaseline = "middle";
    context.fillStyle = this.#palette["on-team"];
    context.fillText(String(seat), x, y + this.#radius * 0.06);
  }

  /** @param {CanvasRenderingContext2D} context @param {Player} player @param {boolean} chosen */
  #paintName(context, player, chosen) {
    const name = shortName(this.names[player.seat] ?? "", chosen ? 20 : 12);
    const colour = chosen ? this.#palette.gold : this.#palette.ink;
    rimmedText(context, name, this.#x(player.x), this.#y(player.y) + this.#radius * 1.5 + 2, colour, this.#palette.halo);
  }
}
