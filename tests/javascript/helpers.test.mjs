/** The helpers say the same as those of the Python SDK, on the cases that it wrote (FANGNETZ_CASES). */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as sdk from "../../clients/javascript/src/index.js";

const { grids, flights } = JSON.parse(readFileSync(process.env.FANGNETZ_CASES, "utf-8"));
const setFrom = (hex) => BigInt(`0x${hex}`);

/** Numbers that went through sines and roots agree but for the last bits. */
function close(found, wanted, what) {
  if (Array.isArray(wanted)) {
    assert.equal(found.length, wanted.length, what);
    wanted.forEach((item, at) => close(found[at], item, `${what}[${at}]`));
  } else if (typeof wanted === "number")
    assert.ok(Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)), `${what}: ${found} instead of ${wanted}`);
  else assert.deepEqual(found, wanted, what);
}

/** What the helper of a case says, by the names that Python has. */
const GRID = {
  fields: (grid) => grid.fields,
  free: (grid) => grid.free,
  xy: (grid, field) => grid.xy(field),
  is_free: (grid, field) => grid.isFree(field),
  steps: (grid, field) => grid.steps(field).map(({ direction, field: target }) => [direction, target]),
  can_step: (grid, field, direction) => grid.canStep(field, direction),
  spread: (grid, set) => grid.spread(setFrom(set)),
  distances: (grid, field) => [...grid.distances(field)],
  path: (grid, start, goal) => grid.path(start, goal),
  can_touch: (grid, one, other, players) => grid.canTouch(one, other, players),
  touched: (grid, set) => grid.touched(setFrom(set)),
  sees: (grid, ...rest) => grid.sees(...rest),
  in_sight: (grid, field) => grid.inSight(field),
  ahead: (grid, field, view) => grid.ahead(field, view),
};

grids.forEach(({ rows, cases }, number) => {
  const grid = new sdk.Grid(rows);
  for (const [name, asked] of Object.entries(cases)) {
    test(`map ${number}: ${name}`, () => {
      assert.ok(asked.length > 0);
      for (const { of, is } of asked) {
        const found = GRID[name](grid, ...of);
        assert.deepEqual(typeof found === "bigint" ? found.toString(16) : found, is, `${name}(${of})`);
      }
    });
  }
});

const motion = (values) => new sdk.Motion(...values);
const numbers = ({ x, y, vx, vy }) => [x, y, vx, vy];
const FLIGHT = {
  speed: (start) => motion(start).speed,
  after: (start, push, steps) => numbers(motion(start).after(push, steps)),
  path: (start, push, ticks, steps) => motion(start).path(push, ticks, steps).map(numbers),
  direction: sdk.direction,
  compass: sdk.compass,
  braking_distance: sdk.brakingDistance,
  contact_time: sdk.contactTime,
  time_to_reach: sdk.timeToReach,
  thrust_to_reach: sdk.thrustToReach,
  time_between: (start, end, thrust) => sdk.timeBetween(motion(start), motion(end), thrust),
  flight: (start, end, thrust, time) => numbers(sdk.Flight.between(motion(start), motion(end), thrust).at(time)),
  clearance: (field, x, y) => obstacles(field).clearance(x, y),
  is_clear: (field, ...way) => obstacles(field).isClear(...way),
  first_mine: (field, ...way) => obstacles(field).firstMine(...way),
  can_stop: (field, start, delay) => obstacles(field).canStop(motion(start), delay),
  escape: (field, start, steps) => {
    const found = obstacles(field).escape(motion(start), steps);
    return found && [found.push, found.ticks];
  },
  way_round: (field, x, y, goal) => obstacles(field).wayRound(x, y, goal),
};

function obstacles({ mines, briefing, margin }) {
  return new sdk.Obstacles(mines.map(([x, y]) => ({ x, y })), briefing, margin);
}

for (const [name, asked] of Object.entries(flights)) {
  test(name, () => {
    assert.ok(asked.length > 0);
    for (const { of, is } of asked) close(FLIGHT[name](...of), is, `${name}(${JSON.stringify(of)})`);
  });
}

test("a motion of a ball", () => {
  assert.deepEqual(sdk.motionOf({ x: 0.1, y: 0.2, vx: 0.3, vy: 0.4, ax: 9, ay: 9, fuel: 2 }), new sdk.Motion(0.1, 0.2, 0.3, 0.4));
});

test("sets of fields", () => {
  assert.deepEqual(sdk.fieldsOf(sdk.setOf([70, 3, 3, 0])), [0, 3, 70]);
  assert.equal(sdk.countOf(sdk.setOf([70, 3, 3, 0])), 3);
  assert.deepEqual([sdk.fieldsOf(0n), sdk.countOf(0n)], [[], 0]);
});

test("the best of many", () => {
  assert.equal(sdk.minBy(["ccc", "a", "b"], ({ length }) => length), "a");
  assert.equal(sdk.maxBy(["a", "ccc", "ddd"], ({ length }) => length), "ccc");
  assert.equal(sdk.minBy([], () => 0), undefined);
  assert.equal(sdk.minBy(["only"], () => Infinity), "only");
  assert.equal(sdk.maxBy(["a", "b"], () => NaN), "a");
});

for (const [server, url] of [
  ["ws://example.org:7474", "ws://example.org:7474/play"],
  ["http://example.org/", "ws://example.org/play"],
  ["https://example.org/arena/", "wss://example.org/arena/play"],
  ["wss://example.org/arena/play", "wss://example.org/arena/play"],
  ["127.0.0.1:7474", "ws://127.0.0.1:7474/play"],
  [" [::1]:7474 ", "ws://[::1]:7474/play"],
]) {
  test(`the address ${server}`, () => assert.equal(sdk.playUrl(server), url));
}

for (const [server, says] of [
  ["ftp://example.org", /the scheme has to be/],
  ["ws://token@example.org", /use token/],
  ["ws://example.org/?token=1", /use token/],
  ["ws://", /that is no address/],
  ["ws://example.org:port", /that is no address/],
  ["", /that is no address/],
]) {
  test(`no address: ${server}`, () =>
    assert.throws(() => sdk.playUrl(server), (problem) => problem instanceof sdk.WrongUse && says.test(problem.message)));
}

test("waits double, with jitter, up to a bound and a sum", () => {
  const waits = (options, chance) => [...new sdk.Backoff(options).waits(() => chance)];
  assert.deepEqual(waits({ firstMs: 100, longestMs: 300, giveUpMs: 1000, jitter: 0.5 }, 0), [100, 200, 300, 300, 300]);
  assert.deepEqual(waits({ firstMs: 100, longestMs: 300, giveUpMs: 300, jitter: 0.5 }, 1), [50, 100, 150]);
});
