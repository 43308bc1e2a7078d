/** Bots on the real server (FANGNETZ_SERVER), which brings together whoever waits. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { fileURLToPath } from "node:url";
import { test } from "node:test";

import { Backoff, Feed, Grid, Refused, Right2LiveBot, SpaceballsBot, maxBy, minBy, play, playUrl, socketUrl } from "../../clients/javascript/src/node.js";

const SERVER = process.env.FANGNETZ_SERVER;
const SDK = fileURLToPath(new URL("../../clients/javascript/src/node.js", import.meta.url));
const QUIET = { info() {}, warn() {}, error: console.error };
const options = (name, more = {}) => ({ name, matches: 1, log: QUIET, ...more });

/** Flies to the nearest station, and notes what became of its actions. */
class Pilot extends SpaceballsBot {
  statuses = new Set();

  decide({ me, opponent, stations }) {
    if (this.lastAction) this.statuses.add(this.lastAction.status);
    const goal = minBy(stations.length ? stations : [opponent], (it) => Math.hypot(it.x - me.x, it.y - me.y));
    return { thrust: [goal.x - me.x - 3 * me.vx, goal.y - me.y - 3 * me.vy] };
  }}

/** Never moves, so that a match lasts all its ticks. */
class Sleeper extends SpaceballsBot {
  decide() {
    return { thrust: [0, 0] };
  }
}

class Walker extends Right2LiveBot {
  statuses = new Set();

  start() {
    this.grid = new Grid(this.setup.map);
  }

  decide({ me, players }) {
    if (this.lastAction) this.statuses.add(this.lastAction.status);
    const grid = this.grid;
    const others = players.filter((it) => it.team !== me.team).map((it) => grid.distances(grid.at(it.x, it.y)));
    const nearest = ({ field }) => Math.min(...others.map((far) => far[field]));
    const step = (me.team === "BLUE" ? maxBy : minBy)(grid.steps(grid.at(me.x, me.y)), nearest);
    return step ? { move: step.direction, view: step.direction } : {};
  }
}

for (const [game, Kind] of [
  ["Spaceballs", Pilot],
  ["Right2Live", Walker],
]) {
  test(`two bots play a match of ${game} to its end`, async () => {
    const bots = [new Kind(), new Kind()];
    const [one, other] = await Promise.all(bots.map((bot, number) => play(bot, SERVER, options(`${game}-${number}`))));
    assert.deepEqual(one, other);
    assert.equal(one.length, 1);
    assert.notEqual(one[0].reason, "walkover");
    for (const bot of bots) {
      bot.statuses.delete("blocked");
      assert.deepEqual([...bot.statuses], ["applied"]);
    }
  });
}

test("a line that breaks in the middle of a match is taken up again", async () => {
  const line = await breakable(Number(new URL(SERVER.replace("ws", "http")).port));
  class Unlucky extends Sleeper {
    decide(seen) {
      if (this.tick === 5 || this.tick === 15) line.cut();
      return super.decide(seen);
    }
  }
  const [unlucky, rival] = [new Unlucky(), new Sleeper()];
  const backoff = new Backoff({ firstMs: 5 });
  try {
    const [results] = await Promise.all([
      play(unlucky, `ws://127.0.0.1:${line.port}`, options("unlucky", { backoff })),
      play(rival, SERVER, options("rival")),
    ]);
    assert.equal(results[0].reason, "timeout");
    assert.equal(line.cuts, 2);
    assert.equal(results[0].ticks, 1200);
  } finally {
    line.close();
  }
});

test("a name that is taken is refused, and free again after a goodbye", async () => {
  const stop = new AbortController();
  let open;
  const inside = new Promise((resolve) => (open = resolve));
  const state = (name) => name === "open" && open();
  const first = play(Pilot, SERVER, options("Ada", { signal: stop.signal, state }));
  await inside;
  await assert.rejects(play(Pilot, SERVER, options("Ada")), (problem) => problem instanceof Refused && problem.code === "name_taken");
  stop.abort();
  await assert.rejects(first, { name: "AbortError" });
  const again = new AbortController();
  const second = play(Pilot, SERVER, options("Ada", { signal: again.signal, state: (name) => name === "open" && again.abort() }));
  await assert.rejects(second, { name: "AbortError" });
});

test("a server that wants tokens refuses a wrong one", async () => {
  const locked = process.env.FANGNETZ_LOCKED;
  await assert.rejects(play(Pilot, locked, options("Ada", { token: "wrong" })), (problem) => problem instanceof Refused && problem.code === "bad_token");
});

test("a spectator hears of the lobby and sees a match", { skip: !globalThis.WebSocket && "no WebSocket of its own" }, async () => {
  const watch = (path, until) =>
    new Promise((resolve) => {
      const heard = [];
      const feed = new Feed(socketUrl(path, playUrl(SERVER)), {
        state() {},
        message(message) {
          heard.push(message);
          const found = until(message);
          if (!found) return;
          feed.close();
          resolve({ heard, found });
        },
      });
    });
  let begin;
  const seen = new Promise((resolve) => (begin = resolve));
  class Shy extends Walker {
    async decide(observation) {
      await seen;
      return super.decide(observation);
    }
  }
  const bots = [0, 1].map((number) => play(Shy, SERVER, options(`seen-${number}`)));
  const ofOurs = ({ phase, seats }) => phase === "running" && seats.some(({ name }) => name === "seen-0");
  const { found } = await watch("watch", (message) => message.matches?.find(ofOurs));
  const watching = watch(`watch/${found.match}`, (message) => {
    if (message.type === "frame") begin();
    return message.type === "match_end";
  });
  const { heard } = await watching;
  await Promise.all(bots);
  assert.deepEqual([heard[0].type, heard.at(-2).type], ["match_start", "frame"]);
});

/** Run a script of its own, and return its exit status and its standard error. */
async function script(server, act = () => {}) {
  const text = `
    import { SpaceballsBot, run } from ${JSON.stringify(SDK)};
    class Alone extends SpaceballsBot { decide() { return { thrust: [0, 0] }; } }
    await run(Alone);`;
  const flags = process.execArgv.filter((flag) => flag.includes("websocket"));
  const child = spawn(process.execPath, [...flags, "--input-type=module", "--eval", text], { env: { ...process.env, FANGNETZ_SERVER: server } });
  let errors = "";
  child.stderr.setEncoding("utf-8").on("data", (part) => act((errors += part), child));
  const [status] = await once(child, "close");
  return { status, errors };
}

test("a script ends with one line and the status of the problem", async () => {
  const { status, errors } = await script("ws://127.0.0.1:1");
  assert.match(errors, /^cannot reach ws:\/\/127.0.0.1:1\/play: nobody listens at 127.0.0.1:1; is the server running\?\n$/);
  assert.equal(status, 3);
});

for (const [signal, status] of [["SIGTERM", 143], ["SIGINT", 130]]) {
  test(`${signal} ends a script`, async () => {
    const done = await script(SERVER, (errors, child) => errors.includes("welcome") && child.kill(signal));
    assert.equal(done.status, status);
    assert.doesNotMatch(done.errors, /Error/);
  });
}

/** A TCP line to a local port that can be cut. */
async function breakable(port) {
  const pairs = new Set();
  const server = net.createServer((near) => {
    const far = net.connect(port, "127.0.0.1");
    const pair = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near]]) {
      from.pipe(to);
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const line = {
    port: server.address().port,
    cuts: 0,
    cut() {
      line.cuts += 1;
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      pairs.clear();
    },
    close: () => server.close(),
  };
  return line;
}
