/** Making a tournament from a file: look first, then create. */

import { make } from "../dom.js";
import { create } from "./api.js";
import { askFirst, valuesOf } from "./dialog.js";
import { table } from "./part.js";

const SHOWN = 12;
const EXAMPLE = `name = "Autumn cup"
game = "spaceballs"
seed = 2010
format = { kind = "round_robin", legs = 2 }
entries = [{ bot = "Ada" }, { bot = "Bert" }]`;

/** @param {(id: string) => Promise<void>} made Called with the id of the new tournament. */
export function askForFile(made) {
	const preview = make("div", { class: "preview", role: "status" });
	const look = make("button", { type: "button", class: "button" }, "Look what would be played");
	const file = make("input", { type: "file", accept: ".toml", "aria-label": "Read a file" });
	const form = askFirst({
		title: "New tournament",
		lines: ["Paste a tournament file or read one. It is checked and stored, and waits for its start."],
		fields: [
			{ name: "file", label: "Tournament file (TOML)", wide: true, attributes: { rows: 14, spellcheck: "false", placeholder: EXAMPLE } },
			{ name: "id", label: "Id (left empty: made from the name)", attributes: { required: false, pattern: "[a-z0-9][a-z0-9_\\-]*" } },
		],
		extra: [make("div", { class: "lobby-tools" }, file, look), preview],
		confirm: "Create",
		act: async ({ file: text, id }) => {
			const known = await create({ file: text, id: id || null });
			await made(known.id);
		},
	});
	file.addEventListener("change", async () => {
		const area = form.querySelector("textarea");
		if (area && file.files?.[0]) area.value = await file.files[0].text();
	});
	look.addEventListener("click", async () => {
		const text = valuesOf(form).file;
		const found = await create({ file: text, dry_run: true }).catch((error) => error);
		preview.replaceChildren(...(found instanceof Error ? [make("p", { class: "fault" }, found.message)] : planned(found)));
	});
}

/** @param {any} found */
function planned({ name, schedule }) {
	const end = schedule.most_matches === null ? "without end" : `at most ${schedule.most_matches} matches`;
	const first = schedule.pairings.slice(0, SHOWN);
	const rows = first.map((/** @type {any} */ line) => [line.id, line.bots.length > 1 ? line.bots.join(" – ") : `${line.bots[0]} rests`, line.map ?? ""]);
	const rest = schedule.known - first.length;
	return [
		make("p", {}, `${name}: ${schedule.bots.length} bots, ${end}. Nothing was stored.`),
		table(["pairing", "bots, by seats", "map"], rows),
		make("p", { class: "quiet" }, rest > 0 ? `… and ${rest} more` : ""),
	];
}
