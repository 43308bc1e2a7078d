/** The walls and the mines, for the centre of a ball. */
export class Obstacles {
    /**
     * @param {Iterable<{x: number, y: number}>} mines the mines that are left
     * @param {Pick<import("../types/messages.js").SpaceballsBriefing, "ball_radius" | "mine_radius" | "thrust">} briefing the sizes of the match: `setup`
     * @param {number} [margin] distance to keep besides
     */
    constructor(mines: Iterable<{
        x: number;
        y: number;
    }>, briefing: Pick<import("../types/messages.js").SpaceballsBriefing, "ball_radius" | "mine_radius" | "thrust">, margin?: number);
    /** The least coordinate for a centre. */
    low: number;
    /** The largest coordinate for a centre. */
    high: number;
    /** The least distance from a mine's centre. */
    radius: number;
    /** @type {readonly Vector[]} */
    mines: readonly Vector[];
    /** How far a point is from the nearest wall or mine; below zero it is inside one. @param {number} x @param {number} y */
    clearance(x: number, y: number): number;
    /** Whether the straight way from (x, y) by (dx, dy) touches no wall and no mine. @param {number} x @param {number} y @param {number} dx @param {number} dy */
    isClear(x: number, y: number, dx: number, dy: number): boolean;
    /** The mine that the straight way from (x, y) by (dx, dy) touches first. @param {number} x @param {number} y @param {number} dx @param {number} dy */
    firstMine(x: number, y: number, dx: number, dy: number): import("./flight.js").Vector | null;
    /**
     * Whether the ball, coasting for `delay` seconds and then braking, stops without a crash. A ball that can stop is
     * safe for good: it may wait where it stands. A bot that takes no action after which it could not stop never crashes.
     * @param {Motion} motion @param {number} [delay]
     */
    canStop(motion: Motion, delay?: number): boolean;
    /**
     * What saves the ball: to brake, or to swerve and then brake; null if neither is found. The swerve is a steady
     * thrust across the motion, to the left or to the right.
     * @param {Motion} motion @param {number} stepsPerTick @param {number} [delay]
     * @returns {Escape | null}
     */
    escape(motion: Motion, stepsPerTick: number, delay?: number): Escape | null;
    /**
     * Where to fly first to get to the goal: the goal itself, or a point beside a mine. Each mine in the way is passed
     * on the side with the shorter detour that is not blocked itself.
     * @param {number} x @param {number} y @param {Vector} goal @param {number} [turns]
     */
    wayRound(x: number, y: number, goal: Vector, turns?: number): import("./flight.js").Vector;
    #private;
}
export type Motion = import("./flight.js").Motion;
export type Vector = import("./flight.js").Vector;
/**
 * How to get out of danger: so many ticks of a thrust, then braking.
 */
export type Escape = {
    push: Vector;
    ticks: number;
};
