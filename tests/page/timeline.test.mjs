import assert from "node:assert/strict";
import { test } from "node:test";

import { LiveClock } from "../../server/fangnetz_server/web/static/timeline/clock.js";
import { blendBalls, blendPlayers } from "../../server/fangnetz_server/web/static/timeline/interpolate.js";
import { Film, PIECE } from "../../server/fangnetz_server/web/static/timeline/film.js";
import { Player } from "../../server/fangnetz_server/web/static/timeline/player.js";

const frame = (tick, events = []) => ({ type: "frame", match: "m", tick, events });
const player = (x, more = {}) => ({ seat: 0, x, y: 0, view: "EAST", team: "BLUE", life: 100, points: 0, standing: 1, ...more });
const ticks = (frames) => frames.map((item) => item.tick);

function filmOf(...numbers) {
  const film = new Film();
  for (const tick of numbers) film.push(frame(tick));
  return film;
}

test("players glide and turn between two frames", () => {
  const [seen] = blendPlayers([player(2)], [player(3, { y: 1, view: "SOUTH" })], 0.5);
  assert.deepEqual([seen.x, seen.y, seen.angle], [2.5, 0.5, Math.PI / 4]);
});

test("a player changes the team only when the frame of the change is reached", () => {
  const after = player(3, { team: "RED", life: -0.1, points: 4 });
  assert.equal(blendPlayers([player(2)], [after], 0.99)[0].team, "BLUE");
  assert.equal(blendPlayers([after], [after], 0)[0].team, "RED");
});

test("a player who is missing in the next frame stays where he was", () => {
  assert.equal(blendPlayers([player(2)], [], 0.7)[0].x, 2);
});

test("a ball shows the thrust of the tick that is being drawn", () => {
  const ball = (x, ax) => ({ seat: 1, x, y: 0.5, vx: 0, vy: 0, ax, ay: 0, fuel: 0, points: 0 });
  const [seen] = blendBalls([ball(0.1, 0)], [ball(0.2, 0.1)], 0, 0.5);
  assert.equal(seen.ax, 0.1);
  assert.ok(Math.abs(seen.x - 0.15) < 1e-12);
});

test("a position between two frames is found with its part", () => {
  const { before, after, fraction } = filmOf(0, 1, 2, 5).sample(3.5);
  assert.deepEqual([before.tick, after.tick, fraction], [2, 5, 0.5]);
});

test("before the first frame and after the last one nothing is made up", () => {
  const film = filmOf(4, 5);
  assert.equal(film.sample(1), null);
  assert.deepEqual([film.sample(9).before.tick, film.sample(9).fraction], [5, 0]);
  assert.equal(new Film().sample(0), null);
});

test("a long hole is not drawn through, and nothing comes before its time", () => {
  const { before, fraction } = filmOf(0, 100).sample(50);
  assert.deepEqual([before.tick, fraction], [0, 0]);
});

test("frames may come in any order and more than once", () => {
  assert.deepEqual(ticks(filmOf(3, 1, 2, 2, 3).trail(9, 9)), [1, 2, 3]);
});

test("a frame of the history never hides what the live one told of the connections", () => {
  const live = { ...frame(3), balls: [{ seat: 0, connected: false, latency_ms: 4 }] };
  const film = new Film();
  film.push(live);
  film.fill({ ...frame(3), balls: [{ seat: 0 }], passed: [{ kind: "refuel", seat: 0, tick: 2 }] });
  film.fill(frame(2));
  assert.deepEqual(film.at(3).balls, live.balls);
  assert.deepEqual(ticks(film.trail(9, 9)), [2, 3]);
  assert.deepEqual(film.marks, [2]);
});

test("a trail ends at the position", () => {
  assert.deepEqual(ticks(filmOf(0, 1, 2, 3, 4).trail(3.2, 2)), [2, 3]);
});

test("a film does not grow with the match, and keeps an even overview and the newest stretch", () => {
  const film = new Film();
  for (let tick = 0; tick <= 100_000; tick += 1) film.push(frame(tick));
  const kept = film.trail(100_000, 200_000);
  assert.ok(kept.length < 17 * PIECE + 900, `${kept.length} frames`);
  assert.ok(film.overview().length > 300 && film.overview().length < 810, `${film.overview().length}`);
  assert.equal(film.missing(100_000 - 2 * PIECE), null);
});

test("what is missing round a position is asked for by the piece", () => {
  const film = filmOf(0, 400, 800);
  assert.deepEqual(film.missing(300), { from: 256, to: 384 });
  for (let tick = 256; tick <= 384; tick += 1) film.push(frame(tick));
  assert.equal(film.missing(300), null);
  assert.equal(film.missing(800), null);
});

/** Play arrivals [time, tick] and pictures 16 ms apart; return what was shown. */
function watch(clock, arrivals, until) {
  const shown = [];
  const coming = [...arrivals];
  for (let now = arrivals[0][0]; now <= until; now += 16) {
    while (coming.length && coming[0][0] <= now) clock.arrive(coming[0][1], coming.shift()[0]);
    shown.push({ now, position: clock.advance(now), latest: clock.latest });
  }
  return shown;
}

const PACES = {
  "at a steady pace": Array.from({ length: 40 }, (_, tick) => [tick * 250, tick]),
  "at a jittery pace": Array.from({ length: 80 }, (_, tick) => [tick * 50 + (tick % 3) * 40, tick]),
  "hundreds of times a second": Array.from({ length: 1500 }, (_, tick) => [tick * 2, tick]),
  "with holes": Array.from({ length: 60 }, (_, index) => [index * 60, index * 7]),
  "in bursts": Array.from({ length: 90 }, (_, tick) => [Math.floor(tick / 10) * 500, tick]),
};

for (const [name, arrivals] of Object.entries(PACES)) {
  test(`the clock is never ahead of the truth and never goes back, with frames ${name}`, () => {
    const shown = watch(new LiveClock(100), arrivals, arrivals.at(-1)[0] + 1000);
    assert.ok(shown.every(({ position, latest }) => position <= latest));
    assert.ok(shown.every(({ position }, at) => at === 0 || position >= shown[at - 1].position));
    assert.equal(shown.at(-1).position, arrivals.at(-1)[1]);
  });

  test(`the clock is at most 450 ms behind, with frames ${name}`, () => {
    for (const { now, position } of watch(new LiveClock(100), arrivals, arrivals.at(-1)[0])) {
      const due = arrivals.filter(([time]) => time <= now - 450).at(-1);
      assert.ok(!due || position >= due[1], `at ${now} ms the tick is ${position} instead of ${due?.[1]}`);
    }
  });
}

test("at a steady pace the picture moves in nearly every refresh", () => {
  const shown = watch(new LiveClock(250), PACES["at a steady pace"], 9000).slice(60);
  const moved = shown.filter(({ position }, at) => at > 0 && position > shown[at - 1].position);
  assert.ok(moved.length > shown.length * 0.9, `${moved.length} of ${shown.length}`);
});

test("an outage is not played back in slow motion", () => {
  const clock = new LiveClock(250);
  const before = Array.from({ length: 20 }, (_, tick) => [tick * 250, tick]);
  watch(clock, before, 7000);
  const back = watch(clock, [[35000, 140]], 35100).at(-1);
  assert.ok(140 - back.position <= 2, `still at ${back.position}`);
});

test("a late spectator starts at the tick that he finds", () => {
  const clock = new LiveClock(50);
  clock.arrive(700, 5);
  assert.equal(clock.advance(5), 700);
});

test("after a pause a jump shows the newest tick at once", () => {
  const clock = new LiveClock(50);
  clock.arrive(0, 0);
  clock.arrive(9000, 60000);
  clock.jump();
  assert.equal(clock.advance(60001), 9000);
});

const lockstep = { pace: "lockstep", tick_ms: 50 };
const caught = (seat) => ({ kind: "caught", seat, by: [1] });

test("events between two ticks come once, also those of frames that were left out", () => {
  const film = new Film();
  film.push({ ...frame(10, [caught(3)]), passed: [{ ...caught(2), tick: 4 }] });
  film.push(frame(10, [caught(3)]));
  assert.deepEqual(film.between(-1, 10).map((item) => [item.tick, item.event.seat]), [[4, 2], [10, 3]]);
  assert.deepEqual(film.between(4, 9), []);
  assert.deepEqual(film.marks, [4, 10]);
});

test("a flood of details does not push out a main event, and is no mark", () => {
  const film = new Film((event) => event.kind === "blocked");
  film.push(frame(1, [caught(7)]));
  for (let tick = 2; tick < 9000; tick += 1) film.push(frame(tick, [{ kind: "blocked", seat: 1 }]));
  assert.deepEqual(film.told(9000, 100).map((item) => item.event.seat), [7]);
});

/** A player that has seen 101 ticks, at the newest one. */
function playerOf(over = true) {
  const player = new Player(new Film(), lockstep);
  for (let tick = 0; tick <= 100; tick += 1) player.push(frame(tick, tick % 40 ? [] : [caught(tick)]), tick * 50);
  player.clock.jump();
  player.over = over;
  player.advance(5000);
  return player;
}

for (const [speed, tick] of [[0.25, 11], [1, 14], [16, 74]]) {
  test(`at ${speed}x the fifth of a second shows ${tick - 10} ticks of 50 ms`, () => {
    const player = playerOf();
    player.seek(10);
    player.speed = speed;
    player.play();
    assert.equal(player.advance(5200), tick);
  });
}

test("a pause in a live match holds the picture while the match goes on, and live catches up", () => {
  const player = playerOf(false);
  player.pause();
  player.push(frame(101), 5050);
  assert.deepEqual([player.advance(5300), player.moving], [100, false]);
  player.goLive();
  assert.deepEqual([player.advance(5400), player.live], [101, true]);
});

test("played on to the newest moment, a live match goes on live", () => {
  const player = playerOf(false);
  player.seek(99);
  player.speed = 16;
  player.play();
  player.advance(5240);
  assert.deepEqual([player.live, player.position], [true, 100]);
});

test("a finished match begins anew when it is played from its end", () => {
  const player = playerOf();
  player.toggle();
  assert.deepEqual([player.position, player.playing], [0, true]);
});

test("steps go to whole ticks, and not beyond the match", () => {
  const player = playerOf();
  player.seek(10.4);
  player.step(1);
  assert.equal(player.position, 11);
  player.seek(10.4);
  player.step(-1);
  assert.equal(player.position, 10);
  player.seek(0);
  player.step(-1);
  assert.equal(player.position, 0);
});

test("the next and the last event are found, and none where there is none", () => {
  const player = playerOf();
  player.seek(40);
  assert.ok(player.jump(1));
  assert.equal(player.position, 80);
  assert.ok(player.jump(-1));
  assert.equal(player.position, 40);
  player.seek(90);
  assert.equal(player.jump(1), false);
});

test("a picture that comes late, as after the background, does not leap", () => {
  const player = playerOf();
  player.seek(10);
  player.play();
  assert.equal(player.advance(600_000), 15);
});
