/** The sheet with all keys. */

import { make } from "./dom.js";
import { words } from "./words.js";

const text = words.help;

export function showHelp() {
	if (document.querySelector("dialog")) return;
	const close = make("button", { type: "button", class: "button" }, text.close);
	const lines = text.keys.flatMap(([keys, what]) => [make("dt", {}, make("kbd", {}, keys)), make("dd", {}, what)]);
	const sheet = make("dialog", { class: "help", "aria-label": text.title }, make("h2", {}, text.title), make("dl", {}, ...lines), close);
	close.addEventListener("click", () => sheet.close());
	sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
	sheet.addEventListener("close", () => sheet.remove());
	document.body.append(sheet);
	sheet.showModal();
}
