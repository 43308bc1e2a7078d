/**
 * Play matches on a server and return their results.
 *
 * `decide` runs in the event loop; while it works, nothing else of this program does. One that takes longer than
 * the deadline loses its tick and no more. A bot that has to think long makes `decide` async and moves the work
 * away, into a worker.
 *
 * @param {import("./table.js").Playable} bot a bot class or another function that makes a bot, called once a match, so
 *   that several matches can be played at the same time; or one bot, for one at a time
 * @param {string} [server] `ws://HOST:PORT`, also with a path, `wss`, `http` or `https`, or `HOST:PORT`
 * @param {PlayOptions} [options]
 * @param {Means} [means] what differs between browsers and Node
 * @returns {Promise<MatchEnd[]>}
 * @throws {Problem} WrongUse, Unreachable, NotFangnetz, Refused or ConnectionLost, each with one clear line; before
 *   the first welcome nothing is tried again
 */
export function play(bot: import("./table.js").Playable, server?: string, options?: PlayOptions, means?: Means): Promise<MatchEnd[]>;
export type MatchEnd = import("../types/messages.js").MatchEnd;
export type State = import("./feed.js").State;
export type PlayOptions = {
    /**
     * the bot's credential, where the host gave one
     */
    token?: string | undefined;
    /**
     * name to show; left out: the name of the bot's class
     */
    name?: string | undefined;
    /**
     * return after that many finished matches; left out: play on until the server says good-bye
     */
    matches?: number | undefined;
    /**
     * ends the play, with a closing handshake
     */
    signal?: AbortSignal | undefined;
    /**
     * where news and faults go; left out: the console
     */
    log?: import("./player.js").Log | undefined;
    /**
     * learns how the connection is; `retry` ends a wait
     */
    state?: ((state: State, retry: () => void) => void) | undefined;
    /**
     * waits between attempts to connect again
     */
    backoff?: Backoff | undefined;
    /**
     * where the jitter of the waits comes from
     */
    chance?: (() => number) | undefined;
    /**
     * in place of a timer, for tests
     */
    sleep?: ((ms: number) => Promise<void>) | undefined;
};
/**
 * What differs between browsers and Node.
 */
export type Means = {
    WebSocket: typeof WebSocket;
    /**
     * why no connection came about
     */
    explain: (url: string) => Promise<Problem>;
};
import { Backoff } from "./backoff.js";
import { Problem } from "./problems.js";
