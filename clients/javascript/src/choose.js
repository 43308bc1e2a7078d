/** The best of many, which JavaScript has no function for. */

/**
 * The first item with the least value; undefined if there is none.
 * @template T @param {Iterable<T>} items @param {(item: T) => number} value
 */
export function minBy(items, value) {
	/** @type {T | undefined} */
	let best;
	let least = Infinity;
	for (const item of items) {
		const found = value(item);
		if (found < least || best === undefined) [best, least] = [item, found];
	}
	return best;
}

/**
 * The first item with the largest value; undefined if there is none.
 * @template T @param {Iterable<T>} items @param {(item: T) => number} value
 */
export function maxBy(items, value) {
	return minBy(items, (item) => -value(item));
}
