/** The games that the page can draw, loaded when one is watched. Another game's frames are shown as a table. */

import { reasonText, words } from "./words.js";

/** @typedef {import("../types.js").GamePage} GamePage */

/** @param {string} id @returns {Promise<GamePage>} */
export async function gamePage(id) {
	if (id === "right2live") return (await import("./games/right2live.js")).right2live;
	if (id === "spaceballs") return (await import("./games/spaceballs.js")).spaceballs;
	return (await import("./games/plain.js")).plainGame(id);
}

/** What a list of matches says of a game. @param {string} id */
export function gameWords(id) {
	const known = id === "right2live" ? words.right2live : id === "spaceballs" ? words.spaceballs : null;
	return {
		title: known?.title ?? id,
		tick: known?.tick ?? words.spaceballs.tick,
		icon: id === "right2live" ? "red" : id === "spaceballs" ? "hunter" : "grid",
		reason: (/** @type {string} */ reason) => reasonText(known?.reason ?? {}, reason),
	};
}
