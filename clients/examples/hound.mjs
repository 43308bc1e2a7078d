// A bot for Right2Live that needs nothing but Node: JSON lines in, JSON lines out.
import { createInterface } from "node:readline";

const STEPS = {
  NORTH: [0, -1], NORTH_EAST: [1, -1], EAST: [1, 0], SOUTH_EAST: [1, 1],
  SOUTH: [0, 1], SOUTH_WEST: [-1, 1], WEST: [-1, 0], NORTH_WEST: [-1, -1],
};
let map = [];

const isFree = (x, y) => map[y]?.[x] !== undefined && map[y][x] !== "#";

/** The fields that one step leads to; a diagonal one needs both fields beside it (R3.2). */
function* steps(x, y) {
  for (const [name, [dx, dy]] of Object.entries(STEPS)) {
    if (isFree(x + dx, y + dy) && isFree(x + dx, y) && isFree(x, y + dy)) {
      yield { name, x: x + dx, y: y + dy };
    }
  }
}

/** The number of steps from each field to the nearest of some players. */
function distances(players) {
  const far = map.map((row) => Array(row.length).fill(Infinity));
  const queue = players.map(({ x, y }) => ({ x, y }));
  for (const { x, y } of queue) far[y][x] = 0;
  for (const { x, y } of queue) {  // The queue grows while it is read.
    for (const next of steps(x, y)) {
      if (far[next.y][next.x] === Infinity) {
        far[next.y][next.x] = far[y][x] + 1;
        queue.push(next);
      }
    }
  }
  return far;
}

/** RED runs to the nearest opponent in sight, BLUE runs away; with nobody in sight both wander. */
function think({ tick, me, players }) {
  const ways = [...steps(me.x, me.y)];
  const others = players.filter((player) => player.team !== me.team);
  if (ways.length === 0) return { move: "NONE" };
  let best = ways[Math.floor(tick / 5) % ways.length];
  if (others.length > 0) {
    const far = distances(others);
    const worth = ({ x, y }) => (me.team === "BLUE" ? far[y][x] : -far[y][x]);
    best = ways.reduce((one, other) => (worth(other) > worth(one) ? other : one));
  }
  return { move: best.name, view: best.name };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "match_start") {
    map = message.setup.map;
  } else if (message.type === "observation") {
    console.log(JSON.stringify({ type: "action", tick: message.tick, ...think(message) }));
  } else if (message.type === "error") {
    console.error("the server says:", message.message);
  }
}
