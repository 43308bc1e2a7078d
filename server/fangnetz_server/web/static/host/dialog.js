/** Questions before something is done that cannot be undone. */

import { make } from "../dom.js";

/** @typedef {{name: string, label: string, attributes?: Record<string, string | number | boolean | null>, wide?: boolean}} Field */

/**
 * @typedef {object} Question
 * @property {string} title
 * @property {string[]} lines What will happen.
 * @property {Field[]} [fields]
 * @property {Node[]} [extra] Between the fields and the buttons.
 * @property {string} confirm The word on the button.
 * @property {boolean} [danger] Whether something is gone afterwards.
 * @property {(values: Record<string, string>) => Promise<unknown>} act An error keeps the question open.
 */

/** Ask, and do it if the answer is yes. @param {Question} question */
export function askFirst(question) {
	const fault = make("p", { class: "fault", role: "alert", hidden: true });
	const cancel = make("button", { type: "button", class: "button" }, "Cancel");
	const confirm = make("button", { class: `button ${question.danger ? "danger" : "main"}` }, question.confirm);
	const form = make(
		"form",
		{ class: "question" },
		make("h2", { id: "question" }, question.title),
		...question.lines.map((line) => make("p", {}, line)),
		...(question.fields ?? []).map(labelled),
		...(question.extra ?? []),
		fault,
		make("div", { class: "lobby-tools ends" }, cancel, confirm),
	);
	const sheet = make("dialog", { class: "help", "aria-labelledby": "question" }, form);
	form.addEventListener("submit", async (event) => {
		event.preventDefault();
		confirm.disabled = true;
		fault.hidden = true;
		try {
			await question.act(valuesOf(form));
			sheet.close();
		} catch (error) {
			fault.textContent = error instanceof Error ? error.message : String(error);
			fault.hidden = false;
		}
		confirm.disabled = false;
	});
	cancel.addEventListener("click", () => sheet.close());
	sheet.addEventListener("close", () => sheet.remove());
	document.body.append(sheet);
	sheet.showModal();
	return form;
}

/** @param {Field} field */
function labelled(field) {
	const attributes = { name: field.name, required: true, autocomplete: "off", ...field.attributes };
	const input = field.wide ? make("textarea", attributes) : make("input", attributes);
	return make("label", { class: field.wide ? "entry wide" : "entry" }, make("span", {}, field.label), input);
}

/** @param {HTMLFormElement} form @returns {Record<string, string>} */
export function valuesOf(form) {
	const entries = [...new FormData(form)].filter(([, value]) => typeof value === "string");
	return Object.fromEntries(/** @type {[string, string][]} */ (entries));
}
