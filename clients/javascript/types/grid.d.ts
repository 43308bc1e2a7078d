/** The set of some fields. @param {Iterable<number>} fields */
export function setOf(fields: Iterable<number>): bigint;
/** The fields of a set, in order. @param {bigint} set */
export function fieldsOf(set: bigint): number[];
/** The number of fields of a set. @param {bigint} set */
export function countOf(set: bigint): number;
/** @typedef {import("../types/messages.js").Direction} Direction */
/** @typedef {{direction: Direction, field: number}} Step A step that the walls allow, and where it leads. */
/** Distance to a field to which no way leads. */
export const UNREACHABLE: 65535;
/** The walls of a map. */
export class Grid {
    /** @param {readonly string[]} rows the lines of the map, `#` for a wall (`setup.map`) */
    constructor(rows: readonly string[]);
    width: number;
    height: number;
    stride: number;
    /** All free fields, row by row. @type {readonly number[]} */
    fields: readonly number[];
    /** The set of all free fields. */
    free: bigint;
    /** The field in column x and row y. @param {number} x @param {number} y */
    at(x: number, y: number): number;
    /** Column and row of a field. @param {number} field @returns {[x: number, y: number]} */
    xy(field: number): [x: number, y: number];
    /** Whether a field is no wall. @param {number} field */
    isFree(field: number): boolean;
    /** All steps from a field that the walls allow; players may still be in the way. @param {number} field @returns {readonly Step[]} */
    steps(field: number): readonly Step[];
    /** Whether the walls allow a step. @param {number} field @param {Direction} direction */
    canStep(field: number, direction: Direction): boolean;
    /** The set of fields that are at most one step away from a set of fields. @param {bigint} fields */
    spread(fields: bigint): bigint;
    /** How many steps each field is away from `start`, by field (and back: ways are two-way). @param {number} start @returns {Readonly<Uint16Array>} */
    distances(start: number): Readonly<Uint16Array>;
    /** The fields of a shortest way, without `start`; empty if there is none. @param {number} start @param {number} goal */
    path(start: number, goal: number): number[];
    /**
     * Whether players on two fields touch, with `players` on the fields round about.
     * @param {number} one @param {number} other @param {Iterable<number>} [players]
     */
    canTouch(one: number, other: number, players?: Iterable<number>): boolean;
    /**
     * The set of fields on which one can be touched by somebody on a set of fields. Players who block the way are not
     * looked at.
     * @param {bigint} fields
     */
    touched(fields: bigint): bigint;
    /**
     * Whether one on `field`, who looks in direction `view`, sees an opponent on `other`.
     * @param {number} field @param {Direction} view @param {number} other
     * @param {Iterable<number>} [players] the fields of all players that may stand in between
     * @param {number} [fovDegrees] the whole angle of view, from the ruleset
     */
    sees(field: number, view: Direction, other: number, players?: Iterable<number>, fovDegrees?: number): boolean;
    /** The set of fields that can be seen from a field by one who looks everywhere, players in between aside. @param {number} field */
    inSight(field: number): bigint;
    /** The set of fields whose middle lies in the half of the map that `view` looks at. @param {number} field @param {Direction} view */
    ahead(field: number, view: Direction): bigint;
    #private;
}
export type Direction = import("../types/messages.js").Direction;
/**
 * A step that the walls allow, and where it leads.
 */
export type Step = {
    direction: Direction;
    field: number;
};
