/** All that is on the page once the match is known: the field, the score and the events. */

import { make, nameOf, setText, setVariable } from "./dom.js";
import { EventList } from "./events.js";
import { gamePage } from "./games.js";
import { backLink, legend, message } from "./parts.js";
import { resultBanner } from "./result.js";
import { Scoreboard } from "./scoreboard.js";
import { RawStage, Stage } from "./stage.js";
import { Live } from "./timeline/live.js";
import { words } from "./words.js";

/** @typedef {import("./types.js").MatchStart} MatchStart */
/** @typedef {import("./types.js").MatchEnd} MatchEnd */
/** @typedef {import("./types.js").Frame} Frame */

const text = words.viewer;
/** Frames behind the moment shown, for trails. */
const TRAIL = 90;
/** The score changes no more often than an eye can read. */
const SCORE_MS = 80;
/** With a wide map and so many bots the events go below the field, otherwise below the score. */
const WIDE = 1.45;
const MANY_BOTS = 10;

export class Board {
  /**
   * @param {MatchStart} start
   * @param {HTMLElement} root
   */
  constructor(start, root) {
    this.#start = start;
    this.#root = root;
    this.#game = gamePage(start.game);
    this.#live = new Live(start, (event) => !this.#game.tell(event).main);
    this.#hud = this.#game.hud(start);
    const scene = this.#game.scene(start);
    this.#stage = scene ? new Stage(scene, this.#label()) : new RawStage();
    this.#events = new EventList((seat) => this.#nameAt(seat));
    this.#score = new Scoreboard(this.#game, start, (seat) => this.#choose(seat));
    this.#build(scene?.aspect ?? 1);
    this.#frameRequest = requestAnimationFrame((now) => this.#tick(now));
  }

  #start;
  #root;
  #game;
  #live;
  #hud;
  #stage;
  #events;
  #score;
  #frameRequest;
  #still = matchMedia("(prefers-reduced-motion: reduce)");
  #tickText = make("b", { "data-testid": "tick" }, "–");
  #phaseChip = make("span", { class: "chip" });
  #overlay = message(text.waiting);
  #strip = make("div", { class: "strip" });
  /** @type {number | null} */
  #selected = null;
  /** @type {MatchEnd | null} */
  #end = null;
  #announced = false;
  #stale = true;
  #position = -1;
  #scoredAt = 0;
  /** @type {Frame | null} */
  #scored = null;

  /** @param {Frame} frame */
  push(frame) {
    this.#live.push(frame, performance.now());
  }

  /** @param {MatchEnd} end */
  end(end) {
    this.#end = end;
  }

  /** After a time in the background: the newest state at once. */
  catchUp() {
    this.#live.clock.jump();
    this.#stale = true;
  }

  close() {
    cancelAnimationFrame(this.#frameRequest);
    this.#stage.close();
    this.#events.close();
  }

  snapshot() {
    return {
      match: this.#start.match,
      game: this.#start.game,
      phase: this.#root.dataset.phase,
      tick: this.#scored?.tick ?? null,
      latest: this.#live.clock.latest,
      position: this.#position,
      frame: this.#scored,
      drawn: this.#stage.drawn,
      selected: this.#selected,
      result: this.#announced ? this.#end : null,
    };
  }

  /** @param {number} aspect */
  #build(aspect) {
    this.#root.classList.toggle("wide", aspect > WIDE && this.#start.seats.length > MANY_BOTS);
    this.#root.dataset.game = this.#start.game;
    setVariable(this.#root, "--aspect", aspect.toFixed(4));
    this.#stage.element.append(this.#overlay);
    this.#strip.append(this.#hud.element);
    const board = make("div", { class: "panel board" }, this.#strip, this.#stage.element, legend(this.#game));
    const score = make(
      "section",
      { class: "panel score-panel", "aria-label": text.score },
      this.#score.element,
    );
    this.#root.replaceChildren(
      this.#head(),
      make("div", { class: "columns" }, board, score, this.#events.element),
    );
    this.#setPhase("waiting");
  }

  #head() {
    const names = this.#start.seats
      .slice(0, 2)
      .flatMap((seat, index) => [index ? ` ${words.lobby.versus} ` : "", nameOf(seat.name)]);
    const many = this.#start.seats.length > 2 ? [words.viewer.bots(this.#start.seats.length)] : names;
    const all = this.#start.ticks === null ? "" : text.of(this.#start.ticks);
    return make(
      "header",
      { class: "match-head" },
      backLink(),
      make("h1", {}, this.#game.title, make("small", {}, ...many)),
      this.#phaseChip,
      make("span", { class: "ticks" }, `${this.#game.tick} `, this.#tickText, all),
    );
  }

  /** @param {number} now */
  #tick(now) {
    this.#frameRequest = requestAnimationFrame((next) => this.#tick(next));
    const { clock, track } = this.#live;
    if (this.#still.matches) clock.jump();
    const position = clock.advance(now);
    const happened = this.#live.takeEvents();
    if (happened.length) this.#happen(happened, now);
    const sample = track.sample(position);
    if (sample && (this.#stale || position !== this.#position || this.#stage.glowing || this.#restless())) {
      const trail = track.trail(position, TRAIL);
      this.#stage.show({ ...sample, trail, now, still: this.#still.matches, selected: this.#selected });
      this.#tell(sample.before, now);
      this.#stale = false;
      this.#position = position;
    }
    if (this.#end && !this.#announced && this.#live.caughtUp) this.#announce(this.#end);
  }

  /** Flames flicker between two frames too, until the match is over. */
  #restless() {
    return !this.#announced && !this.#still.matches && this.#stage.scene?.restless === true;
  }

  /** @param {import("./timeline/live.js").Happening[]} happened @param {number} now */
  #happen(happened, now) {
    for (const { event, frame } of happened) {
      const effect = this.#game.effect(event, frame, this.#start);
      if (effect) this.#stage.flash(effect, now);
    }
    this.#events.add(happened.map(({ tick, event }) => ({ tick, told: this.#game.tell(event) })));
  }

  /** Bring the texts to the frame that is drawn. @param {Frame} frame @param {number} now */
  #tell(frame, now) {
    if (frame === this.#scored) return;
    // Tick 0 is the start position: it is there while the bots are still on their way.
    if (!this.#announced) this.#setPhase(frame.tick > 0 ? "running" : "waiting");
    this.#overlay.hidden = true;
    const tick = String(frame.tick);
    setText(this.#tickText, tick);
    this.#root.dataset.tick = tick;
    if (now - this.#scoredAt < SCORE_MS && !this.#live.caughtUp) return;
    this.#scoredAt = now;
    this.#scored = frame;
    this.#hud.update(frame);
    this.#score.update(this.#game.rows(frame, this.#start), null);
  }

  /** @param {MatchEnd} end */
  #announce(end) {
    this.#announced = true;
    this.#setPhase("over");
    this.#overlay.hidden = true;
    const banner = resultBanner(end, this.#game, (seat) => this.#nameAt(seat));
    this.#strip.replaceChildren(banner);
    const frame = this.#live.track.latest;
    const rows = frame ? this.#game.rows(frame, this.#start) : [];
    this.#score.update(
      rows.map((row) => ({ ...row, points: end.points[row.seat] ?? row.points })),
      end.places,
    );
    this.#events.say(banner.querySelector("h2")?.textContent ?? "");
  }

  /** @param {"waiting" | "running" | "over"} phase */
  #setPhase(phase) {
    this.#root.dataset.phase = phase;
    this.#phaseChip.dataset.phase = phase;
    setText(this.#phaseChip, words.phase[phase]);
  }

  /** @param {number | null} seat */
  #choose(seat) {
    this.#selected = seat;
    this.#stale = true;
  }

  /** @param {number} seat */
  #nameAt(seat) {
    return this.#start.seats.find((entry) => entry.seat === seat)?.name ?? `${text.bot} ${seat}`;
  }

  #label() {
    return `${text.field}: ${this.#start.seats.map((seat) => seat.name).join(", ")}`;
  }
}
