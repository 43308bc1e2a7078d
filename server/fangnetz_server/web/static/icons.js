/** The page's signs, as small drawings in a box of 16 by 16. The shapes of the teams are those on the field. */

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const PATHS = {
	blue: "M8 2.500a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z",
	red: "M8 1.200L14.6 13.600L1.4 13.600z",
	ball: "M8 2.500a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11z",
	hunter:
		"M8 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM7.3 0h1.400v3h-1.400zM7.3 13h1.400v3h-1.400zM0 7.300h3v1.400h-3zM13 7.300h3v1.400h-3z",
	hunted:
		"M8 2.500a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11zM8 4.300a3.7 3.7 0 1 1 0 7.400a3.7 3.7 0 1 1 0-7.400z",
	station:
		"M8 1L15 8L8 15L1 8zM7.2 4.800v2.400h-2.400v1.600h2.400v2.400h1.600v-2.400h2.400v-1.600h-2.400v-2.400z",
	mine: "M8 0l1.3 2.700a5.5 5.5 0 0 1 2 .8l2.3-1.100l-1.1 2.300a5.5 5.5 0 0 1 .8 2L16 8l-2.7 1.300a5.5 5.5 0 0 1-.8 2l1.1 2.300l-2.3-1.100a5.5 5.5 0 0 1-2 .8L8 16l-1.3-2.700a5.5 5.5 0 0 1-2-.8l-2.3 1.100l1.1-2.300a5.5 5.5 0 0 1-.8-2L0 8l2.7-1.300a5.5 5.5 0 0 1 .8-2L2.4 2.400l2.3 1.100a5.5 5.5 0 0 1 2-.8z",
	poison: "M8 1c2.6 3.6 4.6 5.9 4.6 8.700a4.6 4.6 0 0 1-9.2 0C3.4 6.9 5.4 4.6 8 1z",
	wall: "M1 2h14v12h-14z",
	catch:
		"M8 0l1.8 4.700l4.9-1.700l-2.4 4.600l3.7 3.200l-4.9.7l.3 4.500l-3.4-3l-3.4 3l.3-4.500l-4.9-.7l3.7-3.200l-2.4-4.600l4.9 1.700z",
	forced: "M7 1h2l-.4 9h-1.200zM8 12a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3z",
	blocked: "M3.4 2L8 6.600L12.6 2L14 3.400L9.4 8L14 12.600L12.6 14L8 9.400L3.4 14L2 12.600L6.6 8L2 3.400z",
	time: "M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM7.2 4h1.600v4.100l2.9 1.700l-.8 1.400l-3.7-2.200z",
	cup: "M4 1h8v1.500h3v2a4 4 0 0 1-3.6 4A4 4 0 0 1 8.8 10.900V13H12v2H4v-2h3.200v-2.100A4 4 0 0 1 4.6 8.500A4 4 0 0 1 1 4.500v-2h3zM2.5 4v.5A2.5 2.5 0 0 0 4 6.800V4zM12 4v2.800a2.5 2.5 0 0 0 1.5-2.300V4z",
	eye: "M8 3c3.6 0 6.4 2.3 7.6 5c-1.2 2.7-4 5-7.6 5S1.6 10.7.4 8C1.6 5.3 4.4 3 8 3zM8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6z",
	back: "M9.8 2l1.4 1.400L6.6 8l4.6 4.600L9.8 14L3.8 8z",
	download: "M7.1 1h1.800v7l2.6-2.600l1.3 1.300L8 11.500L3.2 6.700l1.3-1.300L7.1 8zM2 13h12v2H2z",
	unplugged: "M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM4.5 3.400l8.1 8.100l-1.1 1.100l-8.1-8.100z",
	play: "M3.500 1.500L13.500 8L3.500 14.500z",
	pause: "M3 2h3.500v12h-3.500zM9.500 2h3.500v12h-3.500z",
	step: "M3 2L9.500 8L3 14zM10.500 2h2.500v12h-2.500z",
	next: "M1 3L6.500 8L1 13zM6.500 3L12 8L6.500 13zM12.500 2.500h2v11h-2z",
	follow: "M7.200 0h1.600v3h-1.600zM7.200 13h1.600v3h-1.600zM0 7.200h3v1.600h-3zM13 7.200h3v1.600h-3zM8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12zM8 3.600a4.400 4.400 0 1 1 0 8.800a4.400 4.400 0 1 1 0-8.800zM8 6a2 2 0 1 0 0 4a2 2 0 1 0 0-4z",
	link: "M6 4.500h-2a3.500 3.500 0 0 0 0 7h2v-1.600h-2a1.900 1.900 0 0 1 0-3.800h2zM10 4.500h2a3.500 3.500 0 0 1 0 7h-2v-1.600h2a1.900 1.900 0 0 0 0-3.800h-2zM5 7.200h6v1.600h-6z",
	theme: "M8 1a7 7 0 1 0 0 14a7 7 0 1 0 0-14zM8 2.600v10.800a5.400 5.400 0 0 1 0-10.800z",
	sound: "M1 5.500h3L8 2v12L4 10.500h-3zM10 5l1-1.200a5.500 5.500 0 0 1 0 8.400L10 11a4 4 0 0 0 0-6z",
	grid: "M1 1h6v6h-6zM9 1h6v6h-6zM1 9h6v6h-6zM9 9h6v6h-6z",
};

/** @param {string} name @param {string} [tone] the class of its colour */
export function icon(name, tone = "") {
	const svg = document.createElementNS(SVG, "svg");
	svg.setAttribute("viewBox", "0 0 16 16");
	svg.setAttribute("class", `icon ${tone}`.trim());
	svg.setAttribute("aria-hidden", "true");
	const path = document.createElementNS(SVG, "path");
	path.setAttribute("d", PATHS[name] ?? PATHS.grid);
	path.setAttribute("fill-rule", "evenodd");
	svg.append(path);
	return svg;
}
