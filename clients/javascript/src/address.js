/** From what a user writes for a server to the addresses of its WebSockets. */

import { WrongUse } from "./problems.js";

/** The server of `fangnetz serve` on this machine. */
export const DEFAULT_SERVER = "ws://127.0.0.1:7474";

/** @type {Record<string, string>} */
const SCHEMES = { "ws:": "ws:", "wss:": "wss:", "http:": "ws:", "https:": "wss:" };

/**
 * The WebSocket address of `/play` of a server.
 * @param {string} server `ws://HOST:PORT`, `wss://HOST/PREFIX`, the same with http or https, or `HOST:PORT`
 * @throws {WrongUse} it is no address of a server
 */
export function playUrl(server) {
	const url = split(server.trim());
	if (!(url.protocol in SCHEMES)) throw new WrongUse(`server "${server}": the scheme has to be ws, wss, http or https`);
	if (url.username || url.password || url.search || url.hash)
		throw new WrongUse(`server "${url.hostname}": only host, port and path belong there; use token`);
	const path = url.pathname.replace(/\/+$/, "").replace(/\/play$/, "");
	return `${SCHEMES[url.protocol]}//${url.host}${path}/play`;
}

/** @param {string} server */
function split(server) {
	const full = server.includes("://") ? server : `ws://${server}`;
	try {
		const url = new URL(full);
		if (url.hostname) return url;
	} catch {
		// Told below, like an address without a host.
	}
	throw new WrongUse(`server "${server}": that is no address of a server, such as ${DEFAULT_SERVER}`);
}
