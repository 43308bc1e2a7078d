/** @typedef {import("../types/messages.js").MatchStart} MatchStart */
/** @typedef {import("../types/messages.js").MatchEnd} MatchEnd */
/** @typedef {import("../types/messages.js").LastAction} LastAction */
/** Thrown in `start` or `decide`: the bot gives up its seat for good, and the match goes on without it. */
export class LeaveMatch extends Error {
}
/**
 * A player of one match. Others see the name of its class. A bot of a plug-in game subclasses this one and
 * names its `game`.
 * @template [Seen=any] what `decide` gets: the whole observation
 * @template [Act=any] what it returns: the game's part of the action
 */
export class Bot<Seen = any, Act = any> {
    /** Name of the game, as in `match_start.game`. @type {string} */
    static game: string;
    /** What is known about the match; set before `start`. @type {MatchStart} */
    match: MatchStart;
    /** Number of the tick that `decide` is asked about; 0 is the start position. */
    tick: number;
    /** Milliseconds that the server gives for this answer. */
    deadlineMs: number;
    /** Milliseconds of extra time that are left for the whole match, on top of the deadline (lockstep). */
    bankMs: number;
    /** What became of the action before (applied, late, blocked …); null in the first tick. @type {LastAction | null} */
    lastAction: LastAction | null;
    /** Name of the game that it plays. */
    get game(): string;
    /** The own seat; lists in observations have one entry a seat. */
    get seat(): number;
    /** The static part of the game: the map or the field; it may be used from `start` on. @returns {any} */
    get setup(): any;
    /**
     * Prepare for a match; called once, before the first `decide`. It may be async: the match begins when it is done,
     * or when the server's time for that is over.
     * @param {MatchStart} match
     * @returns {void | Promise<void>}
     */
    start(match: MatchStart): void | Promise<void>;
    /**
     * Return the action for this tick. This is the one method to implement; it may be async.
     * @param {Seen} observation
     * @returns {Act | Promise<Act>}
     */
    decide(observation: Seen): Act | Promise<Act>;
    /** Learn how the match ended; lists have one entry a seat. @param {MatchEnd} result */
    end(result: MatchEnd): void;
    /** Learn which ticks went by without an answer of this bot, before the next `decide`. @param {number[]} ticks */
    missed(ticks: number[]): void;
    /** The action to give when `decide` failed; null: none at all, which counts as missing. @returns {Act | null} */
    neutral(): Act | null;
    /**
     * The game's part of the `action` message for what `decide` returned.
     * @param {Act} action
     * @returns {Record<string, any>}
     * @throws {TypeError} `decide` returned something else than an action
     */
    write(action: Act): Record<string, any>;
}
/**
 * A player of Right2Live: `decide` returns `{ move, view }`, two directions; either may be left out.
 * @extends {Bot<import("../types/messages.js").Right2LiveObservation, import("../types/messages.js").Right2LiveMove>}
 */
export class Right2LiveBot extends Bot<import("../types/messages.js").Right2LiveObservation, import("../types/messages.js").Right2LiveMove> {
    constructor();
    /** The map; it may be used from `start` on. @returns {import("../types/messages.js").Right2LiveBriefing} */
    get setup(): import("../types/messages.js").Right2LiveBriefing;
    /** @returns {import("../types/messages.js").Right2LiveMove} */
    neutral(): import("../types/messages.js").Right2LiveMove;
}
/**
 * A player of Spaceballs: `decide` returns `{ thrust: [x, y] }`, y upwards.
 * @extends {Bot<import("../types/messages.js").SpaceballsObservation, import("../types/messages.js").SpaceballsThrust>}
 */
export class SpaceballsBot extends Bot<import("../types/messages.js").SpaceballsObservation, import("../types/messages.js").SpaceballsThrust> {
    constructor();
    /** The field at the start and all sizes; it may be used from `start` on. @returns {import("../types/messages.js").SpaceballsBriefing} */
    get setup(): import("../types/messages.js").SpaceballsBriefing;
    /** @returns {import("../types/messages.js").SpaceballsThrust} */
    neutral(): import("../types/messages.js").SpaceballsThrust;
}
export type MatchStart = import("../types/messages.js").MatchStart;
export type MatchEnd = import("../types/messages.js").MatchEnd;
export type LastAction = import("../types/messages.js").LastAction;
