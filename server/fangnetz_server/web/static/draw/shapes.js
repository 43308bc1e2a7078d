/** Shapes that both games share. All sizes are CSS pixels. */

/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {CanvasRenderingContext2D} Context */

const TURN = Math.PI * 2;
/** A flash lives this long. */
export const FLASH_MS = 900;

/**
 * Round with a small beak: one who flees.
 * @param {Context} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} angle
 */
export function dropPath(context, x, y, radius, angle) {
	const open = 0.62;
	context.beginPath();
	context.arc(x, y, radius, angle + open, angle - open + TURN);
	context.lineTo(x + Math.cos(angle) * radius * 1.5, y + Math.sin(angle) * radius * 1.5);
	context.closePath();
}

/**
 * Three sharp corners: one who hunts.
 * @param {Context} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} angle
 */
export function wedgePath(context, x, y, radius, angle) {
	context.beginPath();
	corner(context, x, y, radius * 1.55, angle);
	corner(context, x, y, radius * 1.3, angle + 2.3);
	corner(context, x, y, radius * 1.3, angle - 2.3);
	context.closePath();
}

/**
 * @param {Context} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {number} angle
 */
function corner(context, x, y, radius, angle) {
	context.lineTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
}

/** @param {Context} context @param {number} x @param {number} y @param {number} radius */
export function circlePath(context, x, y, radius) {
	context.beginPath();
	context.arc(x, y, radius, 0, TURN);
}

/**
 * A text with a rim, readable on any ground.
 * @param {Context} context
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 * @param {string} rim
 */
export function rimmedText(context, text, x, y, colour, rim) {
	context.lineJoin = "round";
	context.lineWidth = 3.5;
	context.strokeStyle = rim;
	context.strokeText(text, x, y);
	context.fillStyle = colour;
	context.fillText(text, x, y);
}

/** @param {string} name @param {number} [most] */
export function shortName(name, most = 14) {
	const letters = [...name];
	return letters.length <= most ? name : `${letters.slice(0, most - 1).join("")}…`;
}

/**
 * A ring that grows and fades, with rays from those who caused it.
 * @param {Context} context
 * @param {{x: number, y: number, from: {x: number, y: number}[], colour: string, size: number}} flash
 * @param {number} age milliseconds
 * @param {boolean} still
 */
export function paintFlash(context, flash, age, still) {
	const part = Math.min(1, age / FLASH_MS);
	const grown = still ? 0.6 : 1 - (1 - part) ** 3;
	context.save();
	context.globalAlpha = still ? 0.9 : 1 - part;
	context.strokeStyle = flash.colour;
	context.lineCap = "round";
	context.lineWidth = Math.max(2, flash.size * 0.22 * (1 - part * 0.6));
	for (const origin of flash.from) {
		context.beginPath();
		context.moveTo(origin.x, origin.y);
		context.lineTo(flash.x, flash.y);
		context.stroke();
	}
	circlePath(context, flash.x, flash.y, flash.size * (0.6 + grown * 1.6));
	context.stroke();
	if (!still) {
		context.globalAlpha = (1 - part) * 0.35;
		context.fillStyle = flash.colour;
		circlePath(context, flash.x, flash.y, flash.size * (1.4 - grown * 0.5));
		context.fill();
	}
	context.restore();
}

/**
 * A ring round the bot that the viewer has chosen.
 * @param {Context} context
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {Palette} palette
 */
export function paintChosen(context, x, y, radius, palette) {
	context.lineWidth = 5;
	context.strokeStyle = palette.halo;
	circlePath(context, x, y, radius);
	context.stroke();
	context.lineWidth = 2.5;
	context.strokeStyle = palette.gold;
	circlePath(context, x, y, radius);
	context.stroke();
}
