/** One ball of Spaceballs: its body, what it does and what it is to the other one. */

import { circlePath, wedgePath } from "./shapes.js";

/** @typedef {import("../../types.js").Ball} Ball */
/** @typedef {import("./palette.js").Palette} Palette */

/**
 * @typedef {object} Pen Where and how a ball is drawn; lengths in CSS pixels.
 * @property {CanvasRenderingContext2D} context
 * @property {Palette} palette
 * @property {string} colour of the ball
 * @property {number} x
 * @property {number} y
 * @property {number} radius
 *
 * @typedef {"hunter" | "hunted" | "even"} Role
 */

const TURN = Math.PI * 2;

/**
 * The body. The ball with fewer stations is pale and hollow, the other one has spikes.
 * @param {Pen} pen
 * @param {number} seat
 * @param {Role} role
 */
export function paintBody(pen, seat, role) {
	const { context, palette, colour, x, y, radius } = pen;
	circlePath(context, x, y, radius);
	context.lineWidth = 4;
	context.strokeStyle = palette.halo;
	context.stroke();
	context.fillStyle = role === "hunted" ? palette.halo : colour;
	context.fill();
	if (role === "hunted") paintPale(pen);
	if (role === "hunter") paintSpikes(pen);
	paintMark(pen, seat, role === "hunted" ? colour : palette["on-team"]);
}

/** @param {Pen} pen */
function paintPale({ context, colour, x, y, radius }) {
	context.globalAlpha = 0.35;
	context.fillStyle = colour;
	context.fill();
	context.globalAlpha = 0.9;
	context.strokeStyle = colour;
	context.lineWidth = Math.max(1.5, radius * 0.25);
	circlePath(context, x, y, radius - context.lineWidth / 2);
	context.stroke();
	context.globalAlpha = 1;
}

/** @param {Pen} pen */
function paintSpikes({ context, colour, x, y, radius }) {
	context.strokeStyle = colour;
	context.lineWidth = Math.max(2, radius * 0.3);
	context.lineCap = "butt";
	context.beginPath();
	for (let spike = 0; spike < 4; spike += 1) {
		const angle = (spike * TURN) / 4;
		const [dx, dy] = [Math.cos(angle) * radius, Math.sin(angle) * radius];
		context.moveTo(x + dx * 1.5, y + dy * 1.5);
		context.lineTo(x + dx * 2.3, y + dy * 2.3);
	}
	context.stroke();
}

/**
 * Who does not see colours tells the balls by these: a triangle for red, a dot for blue.
 * @param {Pen} pen
 * @param {number} seat
 * @param {string} colour
 */
function paintMark({ context, x, y, radius }, seat, colour) {
	if (seat === 0) wedgePath(context, x, y, radius * 0.4, -TURN / 4);
	else circlePath(context, x, y, radius * 0.35);
	context.fillStyle = colour;
	context.fill();
}

/**
 * An arrow to where the ball would be soon without thrust.
 * @param {Pen} pen
 * @param {number} dx
 * @param {number} dy
 */
export function paintVelocity({ context, palette, x, y }, dx, dy) {
	if (Math.hypot(dx, dy) < 4) return;
	const angle = Math.atan2(dy, dx);
	const [endX, endY] = [x + dx, y + dy];
	context.strokeStyle = palette.ink;
	context.globalAlpha = 0.65;
	context.lineWidth = 1.5;
	context.lineCap = "round";
	context.beginPath();
	context.moveTo(x, y);
	context.lineTo(endX, endY);
	for (const side of [2.6, -2.6]) {
		context.moveTo(endX, endY);
		context.lineTo(endX + Math.cos(angle + side) * 6, endY + Math.sin(angle + side) * 6);
	}
	context.stroke();
	context.globalAlpha = 1;
}

/**
 * The flame of the thrust: it burns the other way. The field has y upwards, the canvas downwards.
 * @param {Pen} pen
 * @param {Ball} ball
 * @param {number} flicker about 1
 */
export function paintFlame({ context, palette, x, y, radius }, ball, flicker) {
	const length = radius * 3.1 * flicker;
	context.save();
	context.translate(x, y);
	context.rotate(Math.atan2(ball.ay, -ball.ax));
	tongue(context, palette.gold, radius * 0.8, length);
	tongue(context, "#fff6dc", radius * 0.42, length * 0.7);
	context.restore();
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {string} colour
 * @param {number} width
 * @param {number} length
 */
function tongue(context, colour, width, length) {
	context.beginPath();
	context.moveTo(0, -width);
	context.quadraticCurveTo(length * 0.5, -width * 0.7, length, 0);
	context.quadraticCurveTo(length * 0.5, width * 0.7, 0, width);
	context.closePath();
	context.fillStyle = colour;
	context.fill();
}
