/**
 * Play matches on a server and return their results; see `play` in client.js.
 * @param {Playable} bot
 * @param {string} [server]
 * @param {PlayOptions} [options]
 */
export function play(bot: Playable, server?: string, options?: PlayOptions): Promise<import("../types/messages.js").MatchEnd[]>;
/**
 * Play matches on a server until they are finished, and return their results.
 *
 * This is `play` for scripts: it writes a log to standard error, and ends the program with one clear line and the
 * exit status of the problem if it cannot play. Ctrl-C and SIGTERM end it with a closing handshake.
 *
 * @param {Playable} bot
 * @param {string} [server] left out: the environment variable FANGNETZ_SERVER, else this machine
 * @param {PlayOptions} [options] `token` left out: the environment variable FANGNETZ_TOKEN, if set
 */
export function run(bot: Playable, server?: string, options?: PlayOptions): Promise<import("../types/messages.js").MatchEnd[]>;
export * from "./index.js";
export type PlayOptions = import("./client.js").PlayOptions;
export type Playable = import("./table.js").Playable;
