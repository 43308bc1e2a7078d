/** The best of many, which JavaScript has no function for. */
/**
 * The first item with the least value; undefined if there is none.
 * @template T @param {Iterable<T>} items @param {(item: T) => number} value
 */
export function minBy<T>(items: Iterable<T>, value: (item: T) => number): T | undefined;
/**
 * The first item with the largest value; undefined if there is none.
 * @template T @param {Iterable<T>} items @param {(item: T) => number} value
 */
export function maxBy<T>(items: Iterable<T>, value: (item: T) => number): T | undefined;
