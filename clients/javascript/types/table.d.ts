/** Gives a bot to each match. */
export class BotSource {
    /**
     * @param {Playable} playable
     * @throws {WrongUse} it is none, or the bot names no game
     */
    constructor(playable: Playable);
    game: string;
    name: string;
    /** A bot for a new match; null if the only one is at play. @returns {Bot | null} */
    take(): Bot | null;
    /** Take back a bot after its match; one that a factory made plays no second one. @param {Bot} bot */
    giveBack(bot: Bot): void;
    #private;
}
/** The running matches of a client and the results of the finished ones. */
export class Table {
    /**
     * @param {BotSource} source
     * @param {number} matches number of matches to play; Infinity: no end
     * @param {Log} log
     */
    constructor(source: BotSource, matches: number, log: Log);
    faults: Faults;
    /** @type {Map<string, Player>} */
    players: Map<string, Player>;
    /** @type {MatchEnd[]} */
    results: MatchEnd[];
    /** True once as many matches are finished, or given up by their bots, as were asked for. */
    get done(): boolean;
    /** Seat a bot at a match; null if there is none for it. After a resume the match has its bot already. @param {MatchStart} message */
    start(message: MatchStart): Player | null;
    /** Forget a match that its bot has given up. @param {string} match */
    leave(match: string): void;
    /** Take the result of a match; one without a player of ours changes nothing. @param {MatchEnd} message */
    end(message: MatchEnd): void;
    /** Drop all running matches: the server could not give the seats back. */
    forgetAll(): void;
    #private;
}
export type MatchEnd = import("../types/messages.js").MatchEnd;
export type MatchStart = import("../types/messages.js").MatchStart;
export type Log = import("./player.js").Log;
/**
 * A bot class or another function that makes a bot, or one bot for one match at a time.
 */
export type Playable = Bot | (new () => Bot) | (() => Bot);
import { Bot } from "./bot.js";
import { Faults } from "./player.js";
import { Player } from "./player.js";
