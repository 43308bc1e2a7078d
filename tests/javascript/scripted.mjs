/** A server that plays a script: for tests of the client without the real server. */

import assert from "node:assert/strict";
import { once } from "node:events";
import http from "node:http";

import { WebSocketServer } from "../../clients/javascript/node_modules/ws/wrapper.mjs";

const BALL = { x: 0.1, y: 0.2, vx: 0, vy: 0, ax: 0, ay: 0, fuel: 0 };
const SETUP = { stations: [], mines: [], ball_radius: 0.01, station_radius: 0.01, mine_radius: 0.05, steps: 6000, steps_per_tick: 5, dt: 0.01, thrust: 0.1 };
const SEATS = [
  { seat: 0, name: "a" },
  { seat: 1, name: "b" },
];

/** A `match_start` of Spaceballs. */
export const start = (match = "m-1", changes = {}) => ({
  type: "match_start", match, game: "spaceballs", rules_version: 1, ruleset: {}, seat: 0, seats: SEATS, pace: "lockstep",
  tick_ms: 50, deadline_ms: 250, bank_ms: 5000, action_delay: 0, ticks: 1200, setup: SETUP, ...changes,
});

/** An `observation` of Spaceballs. */
export const observation = (tick, match = "m-1", changes = {}) => ({
  type: "observation", match, tick, deadline_ms: 250, bank_ms: 5000,
  last_action: tick ? { tick: tick - 1, status: "applied", latency_ms: 0.5 } : null,
  step: 5 * tick, time: 0.05 * tick, me: BALL, opponent: BALL, stations: [], mines: [], events: [], ...changes,
});

/** One connection of a client, from the script's side. */
export class Peer {
  constructor(socket) {
    this.socket = socket;
    this.inbox = [];
    this.wake = () => {};
    socket.on("message", (data) => (this.inbox.push(JSON.parse(data)), this.wake()));
    socket.on("close", () => this.wake());
    this.closed = once(socket, "close");
  }

  send(...messages) {
    for (const message of messages) this.socket.send(typeof message === "string" || Buffer.isBuffer(message) ? message : JSON.stringify(message));
  }

  async receive() {
    while (!this.inbox.length) {
      assert.equal(this.socket.readyState, this.socket.OPEN, "the client has closed");
      await new Promise((resolve) => (this.wake = resolve));
    }
    return this.inbox.shift();
  }

  async welcome(resumed = false) {
    const hello = await this.receive();
    assert.equal(hello.type, "hello");
    const limits = { message_bytes: 32768, messages_per_second: 200, strikes: 20 };
    const bot = { id: "b-1", name: hello.name };
    this.send({ type: "welcome", protocol: "1.0", server: "test", session: "s-1", resume: "secret-1", bot, limits, games: [], resumed });
    return hello;
  }

  async start(match = "m-1", changes = {}) {
    this.send(start(match, changes));
    assert.deepEqual(await this.receive(), { type: "ready", match });
  }

  async ask(tick, match = "m-1", changes = {}) {
    this.send(observation(tick, match, changes));
    return this.receive();
  }

  end(match = "m-1", changes = {}) {
    this.send({ type: "match_end", match, reason: "catch", places: [1, 2], points: [1, 0], ticks: 7, replay: null, ...changes });
  }

  async untilClosed() {
    const [code] = await this.closed;
    return code;
  }
}

/**
 * Let connections play scripts, one after the other, while `act` runs; what a script throws is thrown again. A
 * number in place of a script refuses the upgrade with that HTTP status, and again when the client asks why.
 */
export async function serving(scripts, act, { protocol = true } = {}) {
  const todo = scripts.flatMap((script) => (typeof script === "number" ? [script, script] : [script]));
  const playing = [];
  const server = http.createServer();
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => (protocol ? "fangnetz.v1" : false) });
  const fault = new Promise((_, reject) =>
    server.on("upgrade", (request, stream, head) => {
      const script = todo.shift();
      if (typeof script === "number") return stream.end(`HTTP/1.1 ${script} No\r\nContent-Length: 13\r\n\r\nwho are\nyou?\n`);
      sockets.handleUpgrade(request, stream, head, (socket) => {
        const done = script(new Peer(socket)).finally(() => socket.readyState === socket.OPEN && socket.close(1000));
        playing.push(done);
        done.catch(reject);
      });
    }),
  );
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const result = await Promise.race([act(`ws://127.0.0.1:${server.address().port}`), fault]);
    await Promise.all(playing);
    return result;
  } finally {
    server.close();
    for (const socket of sockets.clients) socket.terminate();
  }
}
