/** Who sees whom on one map. */
export class Sight {
    /** @param {import("./grid.js").Grid} grid @param {readonly string[]} rows */
    constructor(grid: import("./grid.js").Grid, rows: readonly string[]);
    /** @param {number} field @param {Direction} view @param {number} other @param {Iterable<number>} players @param {number} fovDegrees */
    sees(field: number, view: Direction, other: number, players: Iterable<number>, fovDegrees: number): boolean;
    /** @param {number} field */
    inSight(field: number): bigint;
    #private;
}
export type Direction = import("../types/messages.js").Direction;
/**
 * A direction as a fraction: so much to the right for so much up or down.
 */
export type Slope = [right: number, down: number];
/**
 * Directions that are open.
 */
export type Gap = [left: Slope, right: Slope];
