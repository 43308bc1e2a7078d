/**
 * Pure: what is to be seen between two frames. It never leaves the stretch between them, so it is
 * never ahead of the truth.
 */

import { directionAngle, hermite, lerp, lerpAngle } from "../geometry.js";

/** @typedef {import("../../types.js").Right2LivePlayer} Right2LivePlayer */
/** @typedef {import("../../types.js").Ball} Ball */

/** A longer hole in the frames is jumped: a line drawn through it would be made up. */
export const LONGEST_GAP_TICKS = 12;

/**
 * Players between two frames: they glide and turn; team, life and points are those of the frame that is past.
 * @param {Right2LivePlayer[]} before
 * @param {Right2LivePlayer[]} after
 * @param {number} fraction
 * @returns {(Right2LivePlayer & {angle: number})[]}
 */
export function blendPlayers(before, after, fraction) {
	const targets = bySeat(after);
	return before.map((player) => {
		const target = targets.get(player.seat) ?? player;
		return {
			...player,
			x: lerp(player.x, target.x, fraction),
			y: lerp(player.y, target.y, fraction),
			angle: lerpAngle(directionAngle(player.view), directionAngle(target.view), fraction),
		};
	});
}

/**
 * Balls between two frames, on the curve that both velocities give.
 * @param {Ball[]} before
 * @param {Ball[]} after
 * @param {number} seconds between the two frames
 * @param {number} fraction
 * @returns {Ball[]}
 */
export function blendBalls(before, after, seconds, fraction) {
	const targets = bySeat(after);
	return before.map((ball) => {
		const target = targets.get(ball.seat) ?? ball;
		return {
			...ball,
			x: hermite(ball.x, ball.vx, target.x, target.vx, seconds, fraction),
			y: hermite(ball.y, ball.vy, target.y, target.vy, seconds, fraction),
			vx: lerp(ball.vx, target.vx, fraction),
			vy: lerp(ball.vy, target.vy, fraction),
			// B6.1: a frame holds the acceleration of the tick that led to it, which is the stretch shown now.
			ax: fraction > 0 ? target.ax : ball.ax,
			ay: fraction > 0 ? target.ay : ball.ay,
		};
	});
}

/** @template {{seat: number}} T @param {T[]} items @returns {Map<number, T>} */
function bySeat(items) {
	return new Map(items.map((item) => [item.seat, item]));
}
