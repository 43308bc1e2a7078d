import assert from "node:assert/strict";
import { test } from "node:test";

import { nearestDirection } from "../../server/fangnetz_server/web/static/steering.js";

const WISHES = [
  [[1, 0], "EAST"],
  [[0, -1], "NORTH"],
  [[0, 1], "SOUTH"],
  [[-1, -1], "NORTH_WEST"],
  [[-1, 0.2], "WEST"],
  [[-1, 0.5], "SOUTH_WEST"],
  [[0.1, 0.1], null],
  [[0, 0], null],
];

for (const [[x, y], direction] of WISHES) {
  test(`to the right ${x} and down ${y} means ${direction}`, () => assert.equal(nearestDirection({ x, y }), direction));
}
