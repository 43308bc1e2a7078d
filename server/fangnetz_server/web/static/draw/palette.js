/** The colours of the canvas are those of the style sheet, read from it once for each theme. */

const NAMES = /** @type {const} */ ([
	"floor",
	"grid",
	"wall",
	"wall-edge",
	"poison",
	"blue",
	"red",
	"on-team",
	"halo",
	"gold",
	"stripe",
	"mine",
	"mine-core",
	"ink",
	"muted",
]);

/** @typedef {Record<(typeof NAMES)[number], string> & {font: string}} Palette */

/** A colour that depends on the theme is known only where it is used, so it is read off an element. @returns {Palette} */
export function readPalette() {
	const probe = document.createElement("i");
	document.body.append(probe);
	const style = getComputedStyle(probe);
	/** @type {Record<string, string>} */
	const palette = { font: style.fontFamily };
	for (const name of NAMES) {
		probe.style.color = `var(--${name})`;
		palette[name] = style.color;
	}
	probe.remove();
	return /** @type {Palette} */ (palette);
}
