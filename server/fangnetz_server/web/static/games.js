/** The games that the page can draw. A new one needs an entry here; without it the frames are shown as a table. */

import { plainGame } from "./games/plain.js";
import { right2live } from "./games/right2live.js";
import { spaceballs } from "./games/spaceballs.js";

/** @type {Map<string, import("./types.js").GamePage>} */
const GAMES = new Map([right2live, spaceballs].map((game) => [game.id, game]));

/** @param {string} id */
export function gamePage(id) {
  return GAMES.get(id) ?? plainGame(id);
}
