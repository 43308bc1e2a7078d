/** Every text of the page, in the language of its reader; words.en.js is the model of the others. */

import { language } from "./settings.js";

/** @typedef {typeof import("./words.en.js").english} Words */

const german = language() === "de";

/** @type {Words} */
export const words = german ? (await import("./words.de.js")).german : (await import("./words.en.js")).english;

/** Points as people read them: whole ones plain, others with one decimal. @param {number} points */
export function amount(points) {
	const decimals = Number.isInteger(points) ? 0 : 1;
	const format = { minimumFractionDigits: decimals, maximumFractionDigits: decimals, useGrouping: false };
	return points.toLocaleString(german ? "de" : "en", format);
}

/** Why a match ended, as a sentence. @param {Record<string, string>} ofGame @param {string} reason */
export function reasonText(ofGame, reason) {
	const common = /** @type {Record<string, string>} */ (words.reason);
	return ofGame[reason] ?? common[reason] ?? `${reason.replaceAll("_", " ")}.`;
}
