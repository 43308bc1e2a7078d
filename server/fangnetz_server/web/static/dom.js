/** Building the page. All texts go in as text nodes: a bot's name can never become markup. */

/** @typedef {import("../types.js").Phrase} Phrase */

/**
 * Make an element. Attributes with the value null or false are left out, true means an empty attribute.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | number | boolean | null>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
	}
	element.append(...children);
	return element;
}

/**
 * Set a text only if it has changed, so that nothing is laid out for nothing.
 * @param {Node} node
 * @param {string} text
 */
export function setText(node, text) {
	if (node.textContent !== text) node.textContent = text;
}

/**
 * A length for the style sheet. By the object model, since the page's policy forbids style attributes.
 * @param {HTMLElement} element
 * @param {string} name
 * @param {string | number} value
 */
export function setVariable(element, name, value) {
	const text = String(value);
	if (element.style.getPropertyValue(name) !== text) element.style.setProperty(name, text);
}

/** A bot's name, kept apart from the text around it whatever its script (bdi). @param {string} name */
export function nameOf(name) {
	return make("bdi", { class: "name" }, name);
}

/** A sentence as nodes. @param {Phrase[]} phrases @param {(seat: number) => string} nameAt */
export function sentence(phrases, nameAt) {
	return phrases.map((phrase) => (typeof phrase === "string" ? phrase : nameOf(nameAt(phrase.seat))));
}

/** A sentence as plain text. @param {Phrase[]} phrases @param {(seat: number) => string} nameAt */
export function sentenceText(phrases, nameAt) {
	return phrases.map((phrase) => (typeof phrase === "string" ? phrase : nameAt(phrase.seat))).join("");
}
