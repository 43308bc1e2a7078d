/** Why no connection came about: in Node the upgrade is tried once more, to read the server's words. */

import { randomBytes } from "node:crypto";
import http from "node:http";
import https from "node:https";

import { NotFangnetz, Refused, Unreachable } from "./problems.js";
import { SUBPROTOCOL } from "./version.js";

/** Time for the answer. */
const PATIENCE_MS = 10_000;
/** HTTP answers of a server that is busy, or of a proxy whose server restarts. */
const MAY_PASS = new Set([429, 500, 502, 503, 504]);
/** Characters of the server's text that are shown; error pages of proxies can be long. */
const TEXT = 200;

/**
 * What is wrong if no connection to a URL comes about.
 * @param {string} url the WebSocket address of `/play`
 * @returns {Promise<import("./problems.js").Problem>}
 */
export function explain(url) {
	const address = url.replace(/^ws/, "http");
	const headers = {
		Connection: "Upgrade",
		Upgrade: "websocket",
		"Sec-WebSocket-Key": randomBytes(16).toString("base64"),
		"Sec-WebSocket-Version": "13",
		"Sec-WebSocket-Protocol": SUBPROTOCOL,
	};
	return new Promise((resolve) => {
		const request = (address.startsWith("https:") ? https : http).get(address, { headers, agent: false, timeout: PATIENCE_MS });
		request.on("timeout", () => request.destroy(new Error("no answer in time")));
		request.on("error", (error) => resolve(explainNetwork(error, url)));
		request.on("response", (answer) => void readText(answer).then((text) => resolve(explainStatus(answer.statusCode ?? 0, text, url))));
		request.on("upgrade", (answer, socket) => {
			socket.destroy();
			resolve(explainUpgrade(answer.headers["sec-websocket-protocol"], url));
		});
	});
}

/** @param {http.IncomingMessage} answer */
async function readText(answer) {
	let text = "";
	try {
		for await (const part of answer.setEncoding("utf-8")) text += part;
	} catch {
		// What has come will do.
	}
	return text.split(/\s+/).filter(Boolean).join(" ");
}

/** @param {number} status @param {string} text @param {string} url */
function explainStatus(status, text, url) {
	const said = `HTTP ${status}${text && !text.startsWith("<") ? `: ${text.slice(0, TEXT)}` : ""}`;
	if (status === 401) return new Refused(`${said}; check the token`);
	if (status === 403) return new Refused(said);
	if (MAY_PASS.has(status)) return new Refused(said, null, true);
	return new NotFangnetz(url, `${said}; check host, port and path`);
}

/** @param {string | undefined} protocol @param {string} url */
function explainUpgrade(protocol, url) {
	if (protocol !== SUBPROTOCOL) return new NotFangnetz(url, `it speaks WebSocket, but not ${SUBPROTOCOL}`);
	return new Unreachable(url, "the first attempt failed, the second did not");
}

/** @param {NodeJS.ErrnoException} error @param {string} url */
function explainNetwork(error, url) {
	const { host, hostname, protocol } = new URL(url);
	const code = error.code ?? "";
	if (code === "ECONNREFUSED") return new Unreachable(url, `nobody listens at ${host}; is the server running?`);
	if (code === "ENOTFOUND") return new Unreachable(url, `the name ${hostname} is not known`, false);
	if (code === "EAI_AGAIN") return new Unreachable(url, `the name ${hostname} is not known`);
	if (code.startsWith("HPE_")) return new NotFangnetz(url, `the answer is no WebSocket handshake: ${error.message}`);
	if (/CERT|SELF_SIGNED|ISSUER|ALTNAME/.test(code)) return new Unreachable(url, `the certificate is not valid: ${error.message}`, false);
	// A server without TLS answers nonsense or hangs up in the middle of the handshake.
	if (protocol === "wss:" && (code === "ECONNRESET" || code === "EPROTO" || code.startsWith("ERR_SSL")))
		return new Unreachable(url, `no TLS at ${host}; is it ws:// instead of wss://?`, false);
	if (code === "ECONNRESET") return new NotFangnetz(url, `it hangs up instead of a WebSocket handshake (${error.message})`);
	return new Unreachable(url, error.message || code);
}
