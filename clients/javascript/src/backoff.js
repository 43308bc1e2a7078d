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
	constructor({ firstMs = 250, longestMs = 10_000, giveUpMs = 86_400_000, jitter = 0.5 } = {}) {
		this.firstMs = firstMs;
		this.longestMs = longestMs;
		this.giveUpMs = giveUpMs;
		this.jitter = jitter;
	}

	/**
	 * The waits in milliseconds until the sum of them reaches `giveUpMs`.
	 * @param {() => number} [chance] draws from 0 to 1
	 * @returns {Generator<number, void>}
	 */
	*waits(chance = Math.random) {
		let longest = this.firstMs;
		for (let total = 0; total < this.giveUpMs; longest = Math.min(2 * longest, this.longestMs)) {
			const wait = longest * (1 - this.jitter * chance());
			yield wait;
			total += wait;
		}
	}
}
