/**
 * The WebSocket address of `/play` of a server.
 * @param {string} server `ws://HOST:PORT`, `wss://HOST/PREFIX`, the same with http or https, or `HOST:PORT`
 * @throws {WrongUse} it is no address of a server
 */
export function playUrl(server: string): string;
/** The server of `fangnetz serve` on this machine. */
export const DEFAULT_SERVER: "ws://127.0.0.1:7474";
