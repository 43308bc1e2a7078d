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

/** @returns {Palette} */
export function readPalette() {
  const style = getComputedStyle(document.documentElement);
  /** @type {Record<string, string>} */
  const palette = { font: style.fontFamily };
  for (const name of NAMES) palette[name] = style.getPropertyValue(`--${name}`).trim();
  return /** @type {Palette} */ (palette);
}
