import assert from "node:assert/strict";
import { test } from "node:test";

import { directionAngle, fitGrid, hermite, lerpAngle, poison, sightPolygon } from "../../server/fangnetz_server/web/static/geometry.js";

const CLOCKWISE = ["EAST", "SOUTH_EAST", "SOUTH", "SOUTH_WEST", "WEST", "NORTH_WEST", "NORTH", "NORTH_EAST"];

test("the eight directions go clockwise on a screen, an eighth of a turn apart", () => {
  assert.deepEqual(CLOCKWISE.map(directionAngle), [0, 1, 2, 3, 4, 5, 6, 7].map((step) => (step * Math.PI) / 4));
});

test("an unknown direction looks north, as at the start of a match", () => {
  assert.equal(directionAngle("SIDEWAYS"), directionAngle("NORTH"));
});

test("a turn takes the shorter way, over east too", () => {
  const halfway = lerpAngle(directionAngle("NORTH_EAST"), directionAngle("SOUTH_EAST"), 0.5);
  assert.ok(Math.abs(Math.sin(halfway)) < 1e-9);
  assert.ok(Math.cos(halfway) > 0.99);
});

for (const from of CLOCKWISE) {
  for (const to of CLOCKWISE) {
    test(`a turn from ${from} ends at ${to} after at most half a turn`, () => {
      const [start, end] = [directionAngle(from), directionAngle(to)];
      const reached = lerpAngle(start, end, 1);
      assert.ok(Math.abs(reached - start) <= Math.PI + 1e-9);
      assert.ok(Math.abs(Math.cos(reached) - Math.cos(end)) < 1e-9);
      assert.ok(Math.abs(Math.sin(reached) - Math.sin(end)) < 1e-9);
    });
  }
}

test("a curve under constant thrust is exact between its ends", () => {
  const [place, speed, thrust, seconds] = [0.3, -0.2, 0.1, 0.5];
  const at = (time) => place + speed * time + (thrust * time * time) / 2;
  for (const part of [0, 0.2, 0.5, 0.9, 1]) {
    const got = hermite(place, speed, at(seconds), speed + thrust * seconds, seconds, part);
    assert.ok(Math.abs(got - at(part * seconds)) < 1e-12, `at ${part}`);
  }
});

test("a grid fills the tighter side and is centred on the other", () => {
  assert.deepEqual(fitGrid(100, 100, 10, 5), { cell: 10, left: 0, top: 25 });
  assert.deepEqual(fitGrid(100, 20, 10, 5), { cell: 4, left: 30, top: 0 });
});

test("poison goes from the mildest to the worst field (R1.3)", () => {
  assert.deepEqual([".", " ", undefined].map(poison), [0, 0, 0]);
  assert.deepEqual(["0", "#"].map(poison), [1, 1]);
  const digits = [..."123456789"].map(poison);
  assert.ok(digits.every((value, index) => value > (digits[index - 1] ?? 0) && value < 1));
});

const room = ["#######", "#.....#", "#..#..#", "#.....#", "#######"];
const solid = (x, y) => (room[y]?.[x] ?? "#") === "#";

test("what is behind a wall is not in the polygon of sight", () => {
  const corners = sightPolygon(solid, 1.5, 2.5, 0, 0.2);
  assert.deepEqual(corners[0], [1.5, 2.5]);
  assert.ok(corners.every(([x]) => x <= 3 + 1e-9), "a look goes through the pillar");
});

test("a look along a free row ends at the next wall", () => {
  const [, middle] = sightPolygon(solid, 1.5, 1.5, 0, 0.02);
  assert.ok(Math.abs(middle[0] - 6) < 1e-9);
});

test("one who looks all round has no corner at the own place", () => {
  const corners = sightPolygon(solid, 1.5, 1.5, 0, Math.PI * 2);
  assert.ok(corners.every(([x, y]) => x !== 1.5 || y !== 1.5));
});
