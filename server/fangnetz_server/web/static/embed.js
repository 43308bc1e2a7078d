/**
 * What a page that shows this one in a frame (`?embed`) hears and may say; docs/reference/embedding.md describes it.
 * Both are plain objects with the field `fangnetz: 1`. Nothing secret passes: anybody may watch the same match.
 */

/** At most so many `tick` messages a second. */
const TICKS_PER_S = 4;
/** The commands, which are those of the keyboard. */
const COMMANDS = new Set(["play", "pause", "toggle", "seek", "speed", "live", "next", "last", "on", "back", "choose", "follow", "fog"]);

/** @param {(what: string, value?: any) => void} press @param {() => any} snapshot */
export function embed(press, snapshot) {
	let tickedAt = 0;
	const say = (/** @type {object} */ message) => parent.postMessage({ fangnetz: 1, ...message }, "*");
	document.addEventListener("fangnetz", (event) => {
		const { kind, ...facts } = /** @type {CustomEvent} */ (event).detail;
		const now = performance.now();
		if (kind === "tick" && now - tickedAt < 1000 / TICKS_PER_S) return;
		if (kind === "tick") tickedAt = now;
		say({ type: kind, ...facts });
	});
	addEventListener("message", ({ data, source }) => {
		if (source !== parent || data?.fangnetz !== 1) return;
		if (data.command === "state") say({ type: "state", ...brief(snapshot()) });
		else if (COMMANDS.has(data.command)) press(data.command, data.value);
	});
	say({ type: "ready" });
}

/** @param {any} state */
function brief(state) {
	const { match, game, phase, tick, latest, live, playing, speed, selected } = state ?? {};
	return { match, game, phase, tick, latest, live, playing, speed, selected };
}
