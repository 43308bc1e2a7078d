/** One match: keeps the connection and hands what it hears to the board. */

import { Board } from "./board.js";
import { Feed } from "./connection.js";
import { make } from "./dom.js";
import { gamePage } from "./games.js";
import { backLink, message } from "./parts.js";
import { words } from "./words.js";

/** @typedef {import("./types.js").MatchStart} MatchStart */
/** @typedef {import("./connection.js").FeedState} FeedState */

const text = words.viewer;

export class Viewer {
  /**
   * @param {string} match
   * @param {(state: FeedState, retry: () => void) => void} showState
   */
  constructor(match, showState) {
    this.match = match;
    this.element = make("section", {
      class: "viewer",
      "data-testid": "viewer",
      "data-match": match,
      "data-phase": "loading",
    });
    this.element.append(backLink(), message(text.loading));
    this.#feed = new Feed(`watch/${encodeURIComponent(match)}`, {
      message: (heard) => this.#hear(heard),
      state: (state) => this.#connectionChanged(state, showState),
    });
    document.addEventListener("visibilitychange", () => document.hidden || this.#board?.catchUp(), {
      signal: this.#listening.signal,
    });
  }

  #feed;
  #listening = new AbortController();
  /** @type {Board | null} */
  #board = null;
  #lineUp = "";

  close() {
    this.#listening.abort();
    this.#feed.close();
    this.#board?.close();
  }

  /** The state last drawn, for tests and for whoever embeds the page. */
  snapshot() {
    return this.#board?.snapshot() ?? { match: this.match, phase: this.element.dataset.phase };
  }

  /** @param {any} heard */
  #hear(heard) {
    switch (heard.type) {
      case "match_start":
        return this.#start(heard);
      case "frame":
        return this.#board?.push(heard);
      case "match_end":
        this.#board?.end(heard);
        return this.#feed.close();
      case "error":
        return this.#checkExists();
    }
  }

  /** @param {MatchStart} start */
  #start(start) {
    // After a reconnection the match goes on where it is. Another line-up, before the first tick, is built anew.
    const lineUp = JSON.stringify(start.seats.map((seat) => seat.name));
    if (this.#board && lineUp === this.#lineUp) return;
    this.#board?.close();
    this.#lineUp = lineUp;
    this.#board = new Board(start, this.element);
    document.title = `${gamePage(start.game).title} · ${words.title}`;
  }

  /** @param {FeedState} state @param {(state: FeedState, retry: () => void) => void} showState */
  #connectionChanged(state, showState) {
    showState(state, () => this.#feed.retry());
    if (state === "lost" && !this.#board) this.#checkExists();
  }

  /** A WebSocket does not say why it was refused, so ask the API. */
  async #checkExists() {
    const answer = await fetch(`api/matches/${encodeURIComponent(this.match)}`).catch(() => null);
    if (answer?.status !== 404 || this.#board || this.#listening.signal.aborted) return;
    this.#feed.close();
    this.element.dataset.phase = "unknown";
    this.element.replaceChildren(backLink(), message(text.unknown, text.unknownHint));
  }
}
