/** Something that the user has to know and can mend; the message is one clear line. */
export class Problem extends Error {
    /** @param {string} message @param {boolean} [mayPass] */
    constructor(message: string, mayPass?: boolean);
    /** True if trying again later can help. */
    mayPass: boolean;
    /** The status of a program that ends with it. */
    get exitStatus(): number;
}
/** The call is wrong. */
export class WrongUse extends Problem {
}
/** No connection comes about: nobody listens, the name is unknown, TLS fails, no answer. */
export class Unreachable extends Problem {
    /** @param {string} server @param {string} problem @param {boolean} [mayPass] */
    constructor(server: string, problem: string, mayPass?: boolean);
}
/** Somebody answers, but it is no Fangnetz server, or not under this path. */
export class NotFangnetz extends Problem {
    /** @param {string} server @param {string} problem */
    constructor(server: string, problem: string);
}
/** The server does not let the bot in. */
export class Refused extends Problem {
    /**
     * @param {string} problem
     * @param {import("../types/messages.js").ErrorCode | null} [code]
     * @param {boolean} [mayPass]
     */
    constructor(problem: string, code?: import("../types/messages.js").ErrorCode | null, mayPass?: boolean);
    /** What the server said, without the words around it. */
    problem: string;
    /** The code of the server's `error`; null for a refusal by HTTP. */
    code: import("../types/messages.js").ErrorCode | null;
}
/** The connection broke. */
export class ConnectionLost extends Problem {
    /** @param {number} code the close code @param {string} reason */
    constructor(code: number, reason: string);
    /** The close code; 1006 if there was no close frame. */
    code: number;
    reason: string;
}
