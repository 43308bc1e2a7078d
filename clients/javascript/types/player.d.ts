/** @typedef {import("../types/messages.js").Action} Action */
/** @typedef {import("../types/messages.js").BotMessage} BotMessage */
/** @typedef {import("../types/messages.js").MatchEnd} MatchEnd */
/** @typedef {import("../types/messages.js").MatchStart} MatchStart */
/** @typedef {import("../types/messages.js").Observation} Observation */
/** @typedef {import("./bot.js").Bot} Bot */
/** @typedef {Pick<Console, "info" | "warn" | "error">} Log */
/** Counts what went wrong in a bot's code and logs each kind once, with its stack. */
export class Faults {
    /** @param {Log} log */
    constructor(log: Log);
    /** How often each kind came. @type {Map<string, number>} */
    kinds: Map<string, number>;
    /** Count one fault; `where` is the method of the bot. @param {string} where @param {unknown} error */
    note(where: string, error: unknown): void;
    /** Run some code of the bot and go on, whatever it does. @template T @param {string} where @param {() => T} act @returns {T | undefined} */
    watch<T>(where: string, act: () => T): T | undefined;
    #private;
}
/** One bot at one match. */
export class Player {
    /**
     * @param {Bot} bot used for this match alone while it lasts
     * @param {MatchStart} start
     * @param {Faults} faults where exceptions of the bot's code are noted
     */
    constructor(bot: Bot, start: MatchStart, faults: Faults);
    bot: import("./bot.js").Bot<any, any>;
    match: string;
    /** How often each status was told for an action. @type {Map<string, number>} */
    statuses: Map<string, number>;
    /** Where answers go: over the newest connection, and nowhere once the match is over. @type {(message: BotMessage) => void} */
    reply: (message: BotMessage) => void;
    /** Leave out an observation because a newer one is there already. @param {Observation} observation */
    skip(observation: Observation): void;
    /** Let the bot prepare itself, and say `ready`; after a resume it is prepared, or in the middle of it. */
    prepare(): void;
    /** Answer an observation; while an async method is at work, keep the newest for later. @param {Observation} observation */
    observe(observation: Observation): void;
    /** Tell the bot how the match ended. @param {MatchEnd} result */
    end(result: MatchEnd): void;
    #private;
}
export type Action = import("../types/messages.js").Action;
export type BotMessage = import("../types/messages.js").BotMessage;
export type MatchEnd = import("../types/messages.js").MatchEnd;
export type MatchStart = import("../types/messages.js").MatchStart;
export type Observation = import("../types/messages.js").Observation;
export type Bot = import("./bot.js").Bot;
export type Log = Pick<Console, "info" | "warn" | "error">;
