/** How long to wait before the next attempt to connect. */
/** Waits that double, with jitter so that a hundred bots do not come back in one moment. */
export class Backoff {
    /**
     * @param {object} [options]
     * @param {number} [options.firstMs] the first wait: a short hiccup costs a ranked match only a tick or two
     * @param {number} [options.longestMs] no wait gets longer
     * @param {number} [options.giveUpMs] time without a welcome after which the client gives up: a tournament may stand still for a night
     * @param {number} [options.jitter] share of a wait that is drawn at random, from 0 to 1
     */
    constructor({ firstMs, longestMs, giveUpMs, jitter }?: {
        firstMs?: number | undefined;
        longestMs?: number | undefined;
        giveUpMs?: number | undefined;
        jitter?: number | undefined;
    });
    firstMs: number;
    longestMs: number;
    giveUpMs: number;
    jitter: number;
    /**
     * The waits in milliseconds until the sum of them reaches `giveUpMs`.
     * @param {() => number} [chance] draws from 0 to 1
     * @returns {Generator<number, void>}
     */
    waits(chance?: () => number): Generator<number, void>;
}
