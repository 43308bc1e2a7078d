/** Pure: the frames of a match that are at hand, in the order of their ticks. */

import { LONGEST_GAP_TICKS } from "./interpolate.js";

/** @typedef {import("../types.js").Frame} Frame */

/** Frames kept at most: four seconds of trail at the default tick of Spaceballs, and room for a burst. */
const CAPACITY = 240;

export class Track {
  /** @param {number} [capacity] */
  constructor(capacity = CAPACITY) {
    this.capacity = capacity;
    /** @type {Frame[]} */
    this.frames = [];
  }

  /** The newest frame. @returns {Frame | null} */
  get latest() {
    return this.frames[this.frames.length - 1] ?? null;
  }

  /**
   * Take in a frame. One that is already here replaces its twin; the oldest make room.
   * @param {Frame} frame
   */
  push(frame) {
    let at = this.frames.length;
    while (at > 0 && this.frames[at - 1].tick > frame.tick) at -= 1;
    const twin = at > 0 && this.frames[at - 1].tick === frame.tick;
    this.frames.splice(twin ? at - 1 : at, twin ? 1 : 0, frame);
    if (this.frames.length > this.capacity) this.frames.splice(0, this.frames.length - this.capacity);
  }

  /**
   * The two frames around a position in ticks, and how far it is between them.
   * @param {number} position
   * @returns {{before: Frame, after: Frame, fraction: number} | null}
   */
  sample(position) {
    const index = this.#indexAt(position);
    if (index < 0) return this.frames.length ? still(this.frames[0]) : null;
    const before = this.frames[index];
    const after = this.frames[index + 1];
    if (!after || position <= before.tick) return still(before);
    const gap = after.tick - before.tick;
    if (gap > LONGEST_GAP_TICKS) return still(after);
    return { before, after, fraction: (position - before.tick) / gap };
  }

  /**
   * The frames up to a position, oldest first.
   * @param {number} position
   * @param {number} count
   */
  trail(position, count) {
    const end = this.#indexAt(position) + 1;
    return this.frames.slice(Math.max(0, end - count), end);
  }

  /** The index of the last frame at or before a position, -1 if there is none. @param {number} position */
  #indexAt(position) {
    let low = 0;
    let high = this.frames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.frames[middle].tick <= position) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** @param {Frame} frame */
function still(frame) {
  return { before: frame, after: frame, fraction: 0 };
}
