/** Why no connection came about. A WebSocket does not say, so the server is asked by plain HTTP. */

import { NotFangnetz, Refused, Unreachable } from "./problems.js";

/** Time for the answer. */
const PATIENCE_MS = 5_000;

/**
 * What is wrong if no connection to a URL comes about, as far as a web page may know.
 * @param {string} url the WebSocket address of `/play`
 * @returns {Promise<import("./problems.js").Problem>}
 */
export async function explain(url) {
	const health = url.replace(/^ws/, "http").replace(/play$/, "healthz");
	const answer = await fetch(health, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
	if (!answer) return new Unreachable(url, "nobody answers there, or this page may not ask");
	const facts = await answer.json().catch(() => null);
	if (typeof facts?.protocol !== "string") return new NotFangnetz(url, `HTTP ${answer.status}; check host, port and path`);
	return new Refused("it is there, but lets no connection in; it may be full, or not allow this page", null, true);
}
