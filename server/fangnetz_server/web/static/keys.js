/** Which key means what in a match. */

/** @type {Record<string, string>} */
const KEYS = {
	" ": "toggle",
	k: "toggle",
	ArrowLeft: "back",
	ArrowRight: "on",
	Home: "first",
	End: "live",
	l: "live",
	"+": "faster",
	"-": "slower",
	f: "follow",
	v: "fog",
	c: "link",
};

/** What a key wants; null: nothing of this page. @param {KeyboardEvent} event */
export function wishOf(event) {
	const { key, shiftKey } = event;
	if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return null;
	if (/^\d$/.test(key)) return { what: "choose", value: Number(key) };
	if (shiftKey && key === "ArrowLeft") return { what: "last" };
	if (shiftKey && key === "ArrowRight") return { what: "next" };
	return key in KEYS ? { what: KEYS[key] } : null;
}

/** Whether a key means something else where the focus is. @param {KeyboardEvent} event */
function isTaken({ target, key, shiftKey }) {
	if (!(target instanceof Element)) return false;
	if (target.closest("select, dialog, [type=text], [type=search]")) return true;
	if (target.closest("button, [type=checkbox]")) return key === " " || key === "Enter";
	return target.matches("[type=range]") && !shiftKey && /^(Arrow|Home|End)/.test(key);
}
