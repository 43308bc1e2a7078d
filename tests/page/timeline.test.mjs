import assert from "node:assert/strict";
import { test } from "node:test";

import { LiveClock } from "../../server/fangnetz_server/web/static/timeline/clock.js";
import { blendBalls, blendPlayers } from "../../server/fangnetz_server/web/static/timeline/interpolate.js";
import { Live } from "../../server/fangnetz_server/web/static/timeline/live.js";
import { Track } from "../../server/fangnetz_server/web/static/timeline/track.js";

const frame = (tick, events = []) => ({ type: "frame", match: "m", tick, events });
const player = (x, more = {}) => ({ seat: 0, x, y: 0, view: "EAST", team: "BLUE", life: 100, points: 0, standing: 1, ...more });
const ticks = (frames) => frames.map((item) => item.tick);

function trackOf(...numbers) {
  const track = new Track(100);
  for (const tick of numbers) track.push(frame(tick));
  return track;
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
  const { before, after, fraction } = trackOf(0, 1, 2, 5).sample(3.5);
  assert.deepEqual([before.tick, after.tick, fraction], [2, 5, 0.5]);
});

test("before the first frame and after the last one nothing is made up", () => {
  const track = trackOf(4, 5);
  assert.deepEqual([track.sample(1).before.tick, track.sample(1).fraction], [4, 0]);
  assert.deepEqual([track.sample(9).before.tick, track.sample(9).fraction], [5, 0]);
  assert.equal(new Track().sample(0), null);
});

test("a long hole is jumped instead of drawn through", () => {
  const { before, fraction } = trackOf(0, 100).sample(50);
  assert.deepEqual([before.tick, fraction], [100, 0]);
});

test("frames may come in any order and more than once", () => {
  assert.deepEqual(ticks(trackOf(3, 1, 2, 2, 3).frames), [1, 2, 3]);
});

test("a track does not grow beyond its capacity and keeps the newest", () => {
  const track = new Track(3);
  for (let tick = 0; tick < 50; tick += 1) track.push(frame(tick));
  assert.deepEqual(ticks(track.frames), [47, 48, 49]);
});

test("a trail ends at the position", () => {
  assert.deepEqual(ticks(trackOf(0, 1, 2, 3, 4).trail(3.2, 2)), [2, 3]);
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

test("events wait until their moment is shown, and come once", () => {
  const live = new Live(lockstep);
  live.push(frame(0), 0);
  live.clock.advance(0);
  live.push(frame(1, [caught(4)]), 100);
  live.clock.advance(101);
  assert.deepEqual(live.takeEvents(), []);
  live.clock.advance(2000);
  assert.deepEqual(live.takeEvents().map((item) => [item.tick, item.event.seat]), [[1, 4]]);
  assert.deepEqual(live.takeEvents(), []);
});

test("events of frames that are never drawn are told all the same", () => {
  const live = new Live(lockstep);
  for (let tick = 0; tick < 200; tick += 1) live.push(frame(tick, [caught(tick)]), tick);
  live.clock.jump();
  assert.equal(live.takeEvents().length, 200);
});

test("the frame that comes again after a reconnection tells its events once", () => {
  const live = new Live(lockstep);
  live.push(frame(8, [caught(2)]), 0);
  live.push(frame(8, [caught(2)]), 5000);
  live.clock.advance(5000);
  assert.equal(live.takeEvents().length, 1);
});

test("in the background a flood of details does not push out a main event", () => {
  const live = new Live(lockstep, (event) => event.kind === "blocked");
  live.push(frame(1, [caught(7)]), 0);
  for (let tick = 2; tick < 900; tick += 1) live.push(frame(tick, [{ kind: "blocked", seat: 1 }]), tick * 10);
  live.clock.jump();
  assert.equal(live.takeEvents()[0].event.seat, 7);
});

test("a viewer in the background does not grow", () => {
  const live = new Live(lockstep);
  for (let tick = 0; tick < 20000; tick += 1) live.push(frame(tick, [caught(1)]), tick * 10);
  assert.ok(live.track.frames.length <= live.track.capacity);
  live.clock.jump();
  assert.ok(live.takeEvents().length <= 300);
});
