/** Pure: a match as it comes in. Joins frames, clock and events, so that all three tell of the same moment. */

import { LiveClock } from "./clock.js";
import { Track } from "./track.js";

/** @typedef {import("../types.js").Frame} Frame */
/** @typedef {import("../types.js").GameEvent} GameEvent */
/** @typedef {{tick: number, event: GameEvent, frame: Frame}} Happening */

/** Events kept while nobody looks; the list shows no more than that anyway. */
const WAITING = 300;
/** Until the first frames tell, a lockstep match is taken to be this fast. */
const LOCKSTEP_MS = 100;

export class Live {
  /**
   * @param {{pace: string, tick_ms: number}} start
   * @param {(event: GameEvent) => boolean} [isDetail] tells which events may be dropped first
   */
  constructor(start, isDetail = () => false) {
    this.#isDetail = isDetail;
    this.track = new Track();
    this.clock = new LiveClock(start.pace === "realtime" ? start.tick_ms : LOCKSTEP_MS);
  }

  #isDetail;
  /** @type {Happening[]} */
  #waiting = [];
  #heard = -1;

  /**
   * Take in a frame. Its events wait until its moment is shown; those of a skipped picture are not lost.
   * @param {Frame} frame
   * @param {number} now milliseconds
   */
  push(frame, now) {
    this.track.push(frame);
    this.clock.arrive(frame.tick, now);
    // After a reconnection the first frame is one that may be known already.
    if (frame.tick <= this.#heard) return;
    this.#heard = frame.tick;
    for (const event of frame.events ?? []) this.#waiting.push({ tick: frame.tick, event, frame });
    if (this.#waiting.length > WAITING) this.#shorten();
  }

  #shorten() {
    this.#waiting = this.#waiting.filter((item) => !this.#isDetail(item.event)).slice(-WAITING);
  }

  /** Whether the newest frame is what is shown. */
  get caughtUp() {
    return this.clock.position >= this.clock.latest;
  }

  /**
   * The events up to the moment that is shown, each once.
   * @returns {Happening[]}
   */
  takeEvents() {
    const shown = this.#waiting.findIndex((item) => item.tick > this.clock.position);
    return this.#waiting.splice(0, shown < 0 ? this.#waiting.length : shown);
  }
}
