/**
 * What is wrong if no connection to a URL comes about.
 * @param {string} url the WebSocket address of `/play`
 * @returns {Promise<import("./problems.js").Problem>}
 */
export function explain(url: string): Promise<import("./problems.js").Problem>;
