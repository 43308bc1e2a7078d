/** Standings and crosstable, with what the host may do to a bot. */

import { make, nameOf } from "../dom.js";
import { command, pathOf } from "./api.js";
import { askFirst } from "./dialog.js";
import { button, heading, table } from "./part.js";

const HEADS = ["place", "bot", "points", "played", "wins", "draws", "losses", "absent", "faults", "rating", ""];

/**
 * @param {any} one
 * @param {any} found One of its tables: the whole, or a group.
 * @param {(work: Promise<unknown>) => Promise<void>} run
 * @returns {(Node | string)[]}
 */
export function standings(one, found, run) {
	const rows = found.rows.map((/** @type {any} */ row) => [
		`${row.place}${row.shared ? "=" : ""}`,
		make("a", { href: pathOf(one.id, `bots/${encodeURIComponent(row.bot)}?format=html`) }, nameOf(row.bot), row.withdrawn ? " (withdrawn)" : ""),
		...[row.points, row.played, row.wins, row.draws, row.losses, row.absences, row.faults].map(String),
		row.rating ? `${row.rating.mu.toFixed(1)} ± ${(2 * row.rating.sigma).toFixed(1)}` : "",
		row.withdrawn || one.state === "finished" ? "" : button("Withdraw…", `withdraw ${row.bot}`, () => withdraw(one, row.bot, run), "small"),
	]);
	return [heading(found.name[0].toUpperCase() + found.name.slice(1)), table(HEADS, rows)];
}

/**
 * @param {any} one
 * @param {string} bot
 * @param {(work: Promise<unknown>) => Promise<void>} run
 */
function withdraw(one, bot, run) {
	askFirst({
		title: `Withdraw ${bot}`,
		lines: ["It is paired no more, and its open games are walkovers for the others. It cannot come back."],
		confirm: "Withdraw",
		danger: true,
		act: () => run(command(pathOf(one.id, "withdraw"), { bot })),
	});
}

/** @param {any} found @returns {(Node | string)[]} */
export function crosstable(found) {
	const rows = found.bots.map((/** @type {string} */ bot, /** @type {number} */ at) => [
		String(at + 1),
		nameOf(bot),
		...found.cells[at].map(record),
	]);
	const heads = ["", "wins, draws and losses against", ...found.bots];
	return [heading("Crosstable"), table(heads, rows)];
}

/** Wins, draws and losses with hyphens that never end a line. @param {number[] | null} cell */
function record(cell) {
	return cell ? `${cell[0]}W\u2011${cell[1]}D\u2011${cell[2]}L` : "";
}
