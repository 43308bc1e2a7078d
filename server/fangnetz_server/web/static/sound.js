/** Short tones for what happens; off until somebody asks for them. */

/** Frequencies in hertz, one after the other, a kind of event. @type {Record<string, number[]>} */
const TONES = {
	caught: [660, 880],
	poisoned: [330, 220],
	forced: [440, 330],
	refuelled: [523, 784],
	mine_removed: [294],
	crashed: [180, 90],
	end: [523, 659, 784],
};
const TONE_S = 0.09;
/** Tones closer together than this would be noise. */
const GAP_S = 0.06;

/** @type {AudioContext | null} */
let audio = null;
let on = false;
let freeAt = 0;

/** Switch it on or off; a browser lets it sound only after a press like this. @returns {boolean} whether it is on */
export function switchSound() {
	on = !on;
	if (!audio) {
		audio = new AudioContext();
		document.addEventListener("fangnetz", (event) => hear(/** @type {CustomEvent} */ (event).detail));
	}
	void (on ? audio.resume() : audio.suspend());
	document.documentElement.dataset.sound = on ? "on" : "off";
	return on;
}

/** @param {{kind: string, event?: {kind: string}}} heard */
function hear(heard) {
	const tones = TONES[heard.kind === "event" ? (heard.event?.kind ?? "") : heard.kind];
	if (!on || !audio || !tones || audio.currentTime < freeAt) return;
	freeAt = audio.currentTime + tones.length * TONE_S + GAP_S;
	tones.forEach((tone, at) => play(/** @type {AudioContext} */ (audio), tone, at * TONE_S));
	document.documentElement.dataset.sounded = heard.event?.kind ?? heard.kind;
}

/** @param {AudioContext} out @param {number} tone @param {number} after seconds */
function play(out, tone, after) {
	const start = out.currentTime + after;
	const voice = new OscillatorNode(out, { type: "triangle", frequency: tone });
	const volume = new GainNode(out, { gain: 0 });
	volume.gain.setValueAtTime(0.12, start);
	volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_S * 1.8);
	voice.connect(volume).connect(out.destination);
	voice.start(start);
	voice.stop(start + TONE_S * 2);
}
