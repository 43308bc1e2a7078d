/** Asking the server, as the host. */

const HOST = "api/host/tournaments";

/** What the server says to a request that does not go. */
export class Refusal extends Error {
	/** @param {number} status @param {string} message */
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/** @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
export async function ask(path, options) {
	const answer = await fetch(path, options).catch(() => {
		throw new Refusal(0, "The server does not answer.");
	});
	const json = await answer.json().catch(() => null);
	if (!answer.ok) throw new Refusal(answer.status, reason(json?.detail) ?? answer.statusText);
	return json;
}

/** Faults of single fields come as a list. @param {any} detail @returns {string | undefined} */
function reason(detail) {
	if (!Array.isArray(detail)) return detail;
	return detail.map((fault) => `${fault.loc.join(".")}: ${fault.msg}`).join("; ");
}

/** @param {string} path @param {object} [body] */
export function command(path, body = {}) {
	const headers = { "Content-Type": "application/json" };
	return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** The path of a tournament, or of something below it. @param {string} id @param {string} [below] */
export function pathOf(id, below) {
	return `${HOST}/${encodeURIComponent(id)}${below ? `/${below}` : ""}`;
}

/** @param {string} match @param {string} what */
export function matchPath(match, what) {
	return `${HOST}/matches/${encodeURIComponent(match)}/${what}`;
}

/** @returns {Promise<any[]>} */
export const tournaments = () => ask(HOST);

/** @param {object} body */
export const create = (body) => command(HOST, body);
