/** A replay that stands in the page itself: `fangnetz replay export FILE --html` (nothing is asked of any server). */

import { Viewer } from "./viewer.js";

/**
 * @param {HTMLElement} holder its text: gzip in base64, of one message a line
 * @param {(state: import("./connection.js").FeedState, retry: () => void) => void} showState
 */
export async function openReplay(holder, showState) {
	const packed = Uint8Array.from(atob(holder.textContent ?? ""), (letter) => letter.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	const lines = (await new Response(stream).text()).trim().split("\n");
	const messages = lines.map((line) => JSON.parse(line));
	return new Viewer(messages[0].match, showState, messages);
}
