/** The motion of a ball of an observation. @param {Moving} ball */
export function motionOf({ x, y, vx, vy }: Moving): Motion;
/** The vector with the same direction and this length; (0, 0) stays. @param {number} x @param {number} y @param {number} [length] @returns {Vector} */
export function direction(x: number, y: number, length?: number): Vector;
/** So many directions all round, each of length 1, turned by a share of the angle between two. @param {number} count @param {number} [turn] */
export function compass(count: number, turn?: number): Vector[];
/** The way from this speed to rest with full thrust against the motion. @param {number} speed @param {number} thrust */
export function brakingDistance(speed: number, thrust: number): number;
/**
 * The time until two circles with constant velocities touch, or null if they never do.
 * @param {number} dx @param {number} dy from one centre to the other
 * @param {number} vx @param {number} vy velocity of the other, seen from the one
 * @param {number} reach sum of both radii
 */
export function contactTime(dx: number, dy: number, vx: number, vy: number, reach: number): number | null;
/**
 * The least time to come within reach of a target with one steady thrust, at any final speed.
 *
 * Within time t a ball can get anywhere in a circle of radius thrust*t²/2 round the point to which it would coast;
 * the answer is the first t at which that circle meets the target. With the velocity relative to a coasting
 * opponent it is the time to intercept him. It is exact to some hundredths.
 * @param {number} dx @param {number} dy from the ball to the target
 * @param {number} vx @param {number} vy velocity of the ball, seen from the target
 * @param {number} thrust size of the acceleration
 * @param {number} [reach] distance at which the target counts as reached, such as the sum of the radii
 */
export function timeToReach(dx: number, dy: number, vx: number, vy: number, thrust: number, reach?: number): number;
/**
 * The direction of the steady thrust of `timeToReach`, with the length 1.
 * @param {number} dx @param {number} dy @param {number} vx @param {number} vy @param {number} thrust @param {number} [reach]
 */
export function thrustToReach(dx: number, dy: number, vx: number, vy: number, thrust: number, reach?: number): Vector;
/**
 * About the least time from one motion to another: at that place with that velocity. It is the least time for two
 * steady thrusts, one for each half of the flight; the best of all flights is a few hundredths faster.
 * @param {Moving} start @param {Moving} end @param {number} thrust
 */
export function timeBetween(start: Moving, end: Moving, thrust: number): number;
/**
 * How a ball flies: what every Spaceballs bot needs to steer with inertia and not to crash.
 *
 * All lengths are in field widths, times in seconds; y points upwards. Vectors are pairs [x, y]. Nothing here knows
 * a match: sizes and the acceleration come in, so it holds for any ruleset.
 */
/** @typedef {[x: number, y: number]} Vector */
/** @typedef {{x: number, y: number, vx: number, vy: number}} Moving Anything that flies, such as a ball of an observation. */
/** Seconds a step (rules B2.1). */
export const DT: 0.01;
/** Where a ball is and how fast it flies. */
export class Motion {
    /** @param {number} x @param {number} y @param {number} vx @param {number} vy */
    constructor(x: number, y: number, vx: number, vy: number);
    x: number;
    y: number;
    vx: number;
    vy: number;
    /** Size of the velocity. */
    get speed(): number;
    /**
     * The motion after so many steps of one acceleration. It is the rule B2.3 (v += a*dt, then p += v*dt) summed up; it
     * differs from the server's step by step result only in the last bits.
     * @param {Vector} acceleration @param {number} steps
     */
    after([ax, ay]: Vector, steps: number): Motion;
    /** The motions after 1, 2, … ticks of one acceleration. @param {Vector} acceleration @param {number} ticks @param {number} stepsPerTick */
    path(acceleration: Vector, ticks: number, stepsPerTick: number): Motion[];
}
/** A flight from one motion to another in two halves, each with a steady thrust. */
export class Flight {
    /** The flight of `timeBetween`. @param {Moving} start @param {Moving} end @param {number} thrust */
    static between(start: Moving, end: Moving, thrust: number): Flight;
    /** @param {Moving} start @param {Moving} end @param {number} time */
    constructor(start: Moving, end: Moving, time: number);
    start: Moving;
    end: Moving;
    time: number;
    /** Where the ball is after half of the time. @returns {Vector} */
    get middle(): Vector;
    /** The motion after so many seconds; after the end it coasts. @param {number} time */
    at(time: number): Motion;
    #private;
}
export type Vector = [x: number, y: number];
/**
 * Anything that flies, such as a ball of an observation.
 */
export type Moving = {
    x: number;
    y: number;
    vx: number;
    vy: number;
};
