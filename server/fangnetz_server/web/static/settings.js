/** What a viewer has chosen: by the address, or the last time; and what the address says of the moment. */

/** @typedef {"theme" | "lang" | "sound" | "name"} Setting */

/** @param {Setting} name @returns {string | null} */
export function chosen(name) {
	return fromAddress(name) ?? kept(name);
}

/** @param {string} name @returns {string | null} */
export function fromAddress(name) {
	return new URLSearchParams(globalThis.location?.search).get(name);
}

/** Where nothing may be stored, such as in a sandbox, nothing is. @param {Setting} name */
function kept(name) {
	try {
		return localStorage.getItem(`fangnetz.${name}`);
	} catch {
		return null;
	}
}

/** @param {Setting} name @param {string} value */
export function keep(name, value) {
	try {
		localStorage.setItem(`fangnetz.${name}`, value);
	} catch {
		// It holds until the page is closed.
	}
	if (fromAddress(name) !== null) address({ [name]: value });
}

/** The address with other values, null for none. @param {Record<string, string | number | null>} values */
export function addressWith(values) {
	const url = new URL(location.href);
	for (const [name, value] of Object.entries(values)) {
		if (value === null) url.searchParams.delete(name);
		else url.searchParams.set(name, String(value));
	}
	return url.href;
}

/** Change the address, so that it opens the same moment. @param {Record<string, string | number | null>} values */
export function address(values) {
	const url = addressWith(values);
	try {
		if (url !== location.href) history.replaceState(history.state, "", url);
	} catch {
		// A page in a sandbox or a file may have an address that cannot change.
	}
}

export function language() {
	const wanted = chosen("lang") ?? globalThis.navigator?.language ?? "en";
	return wanted.startsWith("de") ? "de" : "en";
}

/** Take over a theme: light, dark, or whatever the system has. @param {string | null} theme */
export function wear(theme) {
	const fixed = theme === "light" || theme === "dark";
	if (fixed) document.documentElement.dataset.theme = theme;
	else delete document.documentElement.dataset.theme;
	dispatchEvent(new Event("theme"));
}
