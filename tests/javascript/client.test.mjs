/** The client over real sockets, against a server that plays a script. */

import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";

import { Backoff, Bot, ConnectionLost, LeaveMatch, NotFangnetz, Refused, SpaceballsBot, Unreachable, WrongUse, play } from "../../clients/javascript/src/node.js";
import { observation, serving, start } from "./scripted.mjs";

const COAST = { type: "action", match: "m-1", thrust: [0, 0] };

/** Thrusts to the right and writes down what happens. */
class Diary extends SpaceballsBot {
  lines = [];

  start(match) {
    this.lines.push(["start", match.match, this.setup.steps]);
  }

  decide() {
    this.lines.push(this.tick);
    return { thrust: [1, 0] };
  }

  missed(ticks) {
    this.lines.push(["missed", ...ticks]);
  }

  end(result) {
    this.lines.push(["end", result.points[this.seat]]);
  }
}

/** A log that keeps its lines. */
function notes() {
  const lines = [];
  const note = (level) => (...parts) => lines.push([level, ...parts].join(" "));
  return { lines, info: note("info"), warn: note("warn"), error: note("error") };
}

/** Options of `play` for tests of coming back: no time passes. */
function patient(changes = {}) {
  const waits = [];
  const sleep = async (ms) => void waits.push(ms);
  return { waits, sleep, log: notes(), backoff: new Backoff({ firstMs: 1000, longestMs: 4000, jitter: 0, ...changes }) };
}

const QUIET = { log: notes() };
const once = { matches: 1, ...QUIET };

const oneMatch = async (peer) => {
  await peer.welcome();
  await peer.start();
  await peer.ask(0);
  peer.end();
  assert.equal(await peer.untilClosed(), 1000);
};
const hangUp = async (peer) => peer.socket.close(1012);
const welcomeAndHangUp = async (peer) => {
  await peer.welcome();
  peer.socket.close(1012);
};

test("a match from hello to the result", async () => {
  const bot = new Diary();
  const script = async (peer) => {
    const hello = await peer.welcome();
    const { client, ...rest } = hello;
    assert.deepEqual(rest, { type: "hello", protocol: "1.0", token: "t0ken", name: "Diary", games: ["spaceballs"] });
    assert.equal(client.language, "JavaScript");
    await peer.start();
    assert.deepEqual(await peer.ask(0), { type: "action", match: "m-1", tick: 0, thrust: [1, 0] });
    assert.equal((await peer.ask(1)).tick, 1);
    peer.end();
    assert.equal(await peer.untilClosed(), 1000);
  };
  const results = await serving([script], (url) => play(bot, url, { token: "t0ken", ...once }));
  assert.deepEqual(results.map(({ match, reason }) => [match, reason]), [["m-1", "catch"]]);
  assert.deepEqual(bot.lines, [["start", "m-1", 6000], 0, 1, ["end", 1]]);
});

test("the bot knows deadline and last action", async () => {
  const facts = [];
  class Curious extends Diary {
    decide() {
      facts.push([this.seat, this.deadlineMs, this.lastAction?.status]);
      return super.decide();
    }
  }
  const script = async (peer) => {
    await peer.welcome();
    await peer.start();
    await peer.ask(0);
    await peer.ask(1);
    peer.end();
  };
  await serving([script], (url) => play(Curious, url, once));
  assert.deepEqual(facts, [[0, 250, undefined], [0, 250, "applied"]]);
});

test("several matches at once have a bot each", async () => {
  const bots = [];
  const factory = () => {
    bots.push(new Diary());
    return bots.at(-1);
  };
  const script = async (peer) => {
    await peer.welcome();
    await peer.start("m-1");
    await peer.start("m-2", { seat: 1 });
    peer.send(observation(0, "m-1"), observation(0, "m-2"));
    assert.deepEqual([(await peer.receive()).match, (await peer.receive()).match], ["m-1", "m-2"]);
    peer.end("m-2");
    assert.equal((await peer.ask(1, "m-1")).match, "m-1");
    peer.end("m-1");
    await peer.untilClosed();
  };
  const results = await serving([script], (url) => play(factory, url, { ...once, matches: 2 }));
  assert.deepEqual(results.map(({ match }) => match), ["m-2", "m-1"]);
  assert.deepEqual(bots.map((bot) => bot.lines), [
    [["start", "m-1", 6000], 0, 1, ["end", 1]],
    [["start", "m-2", 6000], 0, ["end", 0]],
  ]);
});

for (const [why, playable, options, second] of [
  ["one bot is at play already", () => new Diary(), {}, {}],
  ["no more were asked for", () => Diary, { matches: 1 }, {}],
  ["it is another game", () => Diary, {}, { game: "right2live" }],
]) {
  test(`a match is left: ${why}`, async () => {
    const script = async (peer) => {
      await peer.welcome();
      await peer.start("m-1");
      peer.send(start("m-2", second));
      assert.deepEqual(await peer.receive(), { type: "leave", match: "m-2" });
      peer.send(observation(0, "m-2"));
      assert.equal((await peer.ask(0, "m-1")).match, "m-1");
      peer.end("m-2");
      peer.end("m-1");
    };
    const results = await serving([script], (url) => play(playable(), url, { ...QUIET, ...options }));
    assert.deepEqual(results.map(({ match }) => match), ["m-1"]);
  });
}

test("a plug-in game is played with plain objects", async () => {
  class Nim extends Bot {
    static game = "nim";
    decide({ heap }) {
      return { take: heap % 4 };
    }
  }
  const script = async (peer) => {
    assert.deepEqual((await peer.welcome()).games, ["nim"]);
    await peer.start("m-1", { game: "nim", setup: {} });
    assert.deepEqual(await peer.ask(0, "m-1", { heap: 7 }), { type: "action", match: "m-1", tick: 0, take: 3 });
    peer.end();
  };
  await serving([script], (url) => play(Nim, url, once));
});

test("an async start holds up ready, and observations wait for it", async () => {
  let done;
  class Reader extends Diary {
    start() {
      return new Promise((resolve) => (done = resolve));
    }
  }
  const bot = new Reader();
  const script = async (peer) => {
    await peer.welcome();
    peer.send(start(), observation(0), observation(1), start("m-2"));
    assert.deepEqual(await peer.receive(), { type: "leave", match: "m-2" });
    done();
    assert.deepEqual(await peer.receive(), { type: "ready", match: "m-1" });
    assert.equal((await peer.receive()).tick, 1);
    peer.end();
  };
  await serving([script], (url) => play(bot, url, once));
  assert.deepEqual(bot.lines, [["missed", 0], 1, ["end", 1]]);
});

for (const [where, Kind] of Object.entries({
  start: class extends Diary {
    start() {
      throw new LeaveMatch();
    }
  },
  "async start": class extends Diary {
    async start() {
      throw new LeaveMatch();
    }
  },
  decide: class extends Diary {
    decide() {
      throw new LeaveMatch();
    }
  },
  "async decide": class extends Diary {
    async decide() {
      throw new LeaveMatch();
    }
  },
})) {
  test(`a bot gives up its seat in ${where}`, async () => {
    const script = async (peer) => {
      await peer.welcome();
      peer.send(start(), observation(0));
      if (where.includes("decide")) assert.equal((await peer.receive()).type, "ready");
      assert.deepEqual(await peer.receive(), { type: "leave", match: "m-1" });
      assert.equal(await peer.untilClosed(), 1000);
    };
    const log = notes();
    assert.deepEqual(await serving([script], (url) => play(Kind, url, { matches: 1, log })), []);
    assert.ok(log.lines.some((line) => line.includes("m-1 is given up by the bot")));
  });
}

// --- coming back ---------------------------------------------------------------------------------

for (const code of [1012, 1001, 4003, null]) {
  test(`a broken connection is resumed (${code})`, async () => {
    const before = async (peer) => {
      await peer.welcome();
      await peer.start();
      await peer.ask(0);
      if (code === null) peer.socket.terminate();
      else peer.socket.close(code);
    };
    const after = async (peer) => {
      assert.equal((await peer.welcome(true)).resume, "secret-1");
      await peer.start();
      assert.equal((await peer.ask(4, "m-1", { missed: [1, 2, 3] })).tick, 4);
      peer.end();
    };
    const [bot, options] = [new Diary(), patient()];
    await serving([before, after], (url) => play(bot, url, { matches: 1, ...options }));
    assert.deepEqual(bot.lines, [["start", "m-1", 6000], 0, ["missed", 1, 2, 3], 4, ["end", 1]]);
    assert.deepEqual(options.waits, [1000]);
  });
}

test("a tick that comes again gets the same answer", async () => {
  const before = async (peer) => {
    await peer.welcome();
    await peer.start();
    await peer.ask(0);
    peer.socket.close(1012);
  };
  const after = async (peer) => {
    await peer.welcome(true);
    await peer.start();
    assert.deepEqual((await peer.ask(0)).thrust, [1, 0]);
    peer.end();
  };
  const bot = new Diary();
  await serving([before, after], (url) => play(bot, url, { matches: 1, ...patient() }));
  assert.deepEqual(bot.lines.filter((line) => line === 0), [0]);
});

test("what an async bot thought about during a break is answered once, over the new connection", async () => {
  let answer;
  let asked = 0;
  class Thinker extends SpaceballsBot {
    decide() {
      asked += 1;
      return new Promise((resolve) => (answer = () => resolve({ thrust: [0, 1] })));
    }
  }
  const before = async (peer) => {
    await peer.welcome();
    await peer.start();
    peer.send(observation(0));
    peer.socket.close(1012);
  };
  const after = async (peer) => {
    await peer.welcome(true);
    await peer.start();
    peer.send(observation(0));
    peer.send(start("m-2"));
    assert.deepEqual(await peer.receive(), { type: "leave", match: "m-2" });
    answer();
    assert.equal((await peer.receive()).tick, 0);
    peer.send(observation(1));
    // The next thing that comes is the answer to tick 1, not to 0 again.
    peer.send(start("m-3"));
    assert.deepEqual(await peer.receive(), { type: "leave", match: "m-3" });
    peer.end();
  };
  await serving([before, after], (url) => play(new Thinker(), url, { matches: 1, ...patient() }));
  assert.equal(asked, 2);
});

test("a forgotten session is started anew", async () => {
  const before = async (peer) => {
    await peer.welcome();
    await peer.start("m-1");
    peer.socket.close(1012);
  };
  const refuse = async (peer) => {
    assert.equal((await peer.receive()).resume, "secret-1");
    peer.send({ type: "error", code: "unknown_resume", message: "gone" });
    peer.socket.close(4005);
  };
  const after = async (peer) => {
    assert.ok(!("resume" in (await peer.welcome())));
    await peer.start("m-2");
    peer.end("m-2");
  };
  const options = patient();
  const results = await serving([before, refuse, after], (url) => play(new Diary(), url, { matches: 1, ...options }));
  assert.deepEqual(results.map(({ match }) => match), ["m-2"]);
  assert.deepEqual(options.waits, [1000], "a server that answers is not waited for");
});

test("the waits grow and start anew after a welcome", async () => {
  const options = patient();
  const scripts = [welcomeAndHangUp, hangUp, hangUp, hangUp, hangUp, welcomeAndHangUp, oneMatch];
  await serving(scripts, (url) => play(Diary, url, { matches: 1, ...options }));
  assert.deepEqual(options.waits, [1000, 2000, 4000, 4000, 4000, 1000]);
});

test("it gives up after a while", async () => {
  const options = patient({ giveUpMs: 7000 });
  const playing = serving([welcomeAndHangUp, hangUp, hangUp, hangUp], (url) => play(Diary, url, options));
  await assert.rejects(playing, (problem) => problem instanceof ConnectionLost && /1012, The server restarts/.test(problem.message));
  assert.deepEqual(options.waits, [1000, 2000, 4000]);
});

test("a wait can be ended", async () => {
  const seen = [];
  const state = (name, retry) => {
    seen.push(name);
    if (name === "lost") queueMicrotask(retry);
  };
  const backoff = new Backoff({ firstMs: 3_600_000, longestMs: 3_600_000, giveUpMs: Infinity });
  await serving([welcomeAndHangUp, oneMatch], (url) => play(Diary, url, { ...once, backoff, state }));
  assert.deepEqual(seen, ["connecting", "open", "lost", "connecting", "open", "closed"]);
});

for (const code of [4001, 4002, 1008]) {
  test(`some goodbyes are final (${code})`, async () => {
    const script = async (peer) => {
      await peer.welcome();
      await peer.start();
      peer.socket.close(code, "so it is");
    };
    const options = patient();
    const playing = serving([script], (url) => play(Diary, url, options));
    await assert.rejects(playing, (problem) => problem.code === code && /so it is/.test(problem.message));
    assert.deepEqual(options.waits, []);
  });
}

test("a server that says goodbye after the match ends the play", async () => {
  const script = async (peer) => {
    await peer.welcome();
    await peer.start();
    peer.end();
  };
  assert.equal((await serving([script], (url) => play(Diary, url, QUIET))).length, 1);
});

test("an abort ends the play with a closing handshake", async () => {
  const stop = new AbortController();
  const script = async (peer) => {
    await peer.welcome();
    await peer.start();
    stop.abort(new Error("enough"));
    assert.equal(await peer.untilClosed(), 1000);
  };
  await assert.rejects(serving([script], (url) => play(Diary, url, { ...QUIET, signal: stop.signal })), /enough/);
});

// --- what the bot's code does wrong --------------------------------------------------------------

test("an exception costs a tick and is logged once", async () => {
  class Broken extends SpaceballsBot {
    decide() {
      if (this.tick < 3) throw new RangeError("no such plan");
      return { thrust: this.tick === 3 ? [Infinity, 0] : [0, 1] };
    }
  }
  const script = async (peer) => {
    await peer.welcome();
    await peer.start();
    for (let tick = 0; tick < 4; tick++) assert.deepEqual(await peer.ask(tick), { ...COAST, tick });
    assert.deepEqual((await peer.ask(4)).thrust, [0, 1]);
    peer.end();
  };
  const log = notes();
  await serving([script], (url) => play(Broken, url, { matches: 1, log }));
  const errors = log.lines.filter((line) => line.startsWith("error"));
  assert.equal(errors.length, 2);
  assert.match(errors[0], /decide\(\) failed.*no such plan/s);
  assert.match(errors[1], /two finite numbers, not \{"thrust":\["Infinity",0\]\}/);
});

for (const answer of [null, [1, 0], { thrust: [1] }, { thrust: ["1", 0] }, "left", undefined, { move: "EAST" }]) {
  test(`what is no action costs a tick: ${JSON.stringify(answer)}`, async () => {
    class Odd extends SpaceballsBot {
      decide() {
        return answer;
      }
    }
    const script = async (peer) => {
      await peer.welcome();
      await peer.start();
      assert.deepEqual(await peer.ask(0), { ...COAST, tick: 0 });
      peer.end();
    };
    const log = notes();
    await serving([script], (url) => play(Odd, url, { matches: 1, log }));
    assert.match(log.lines.join("\n"), /TypeError: decide\(\) has to return/);
  });
}

test("exceptions in the other methods do not matter", async () => {
  const fail = (where) => () => {
    throw new Error(`at ${where}`);
  };
  class Clumsy extends Diary {
    start = fail("the start");
    missed = fail("missed");
    end = fail("the end");
  }
  const script = async (peer) => {
    await peer.welcome();
    await peer.start();
    assert.deepEqual((await peer.ask(2, "m-1", { missed: [0, 1] })).thrust, [1, 0]);
    peer.end();
  };
  const log = notes();
  assert.equal((await serving([script], (url) => play(Clumsy, url, { matches: 1, log }))).length, 1);
  for (const text of ["at the start", "at missed", "at the end"]) assert.ok(log.lines.join("\n").includes(text), text);
});

// --- slow bots -----------------------------------------------------------------------------------

test("a slow bot answers the newest observation and learns what it missed", async () => {
  class Slow extends Diary {
    decide() {
      for (const until = performance.now() + 20; performance.now() < until; );
      return super.decide();
    }
  }
  const bot = new Slow();
  const script = async (peer) => {
    await peer.welcome();
    await peer.start();
    peer.send(...[0, 1, 2, 3, 4].map((tick) => observation(tick)));
    assert.deepEqual([(await peer.receive()).tick, (await peer.receive()).tick], [0, 4]);
    assert.equal((await peer.ask(5)).tick, 5);
    peer.end();
  };
  await serving([script], (url) => play(bot, url, once));
  assert.deepEqual(bot.lines, [["start", "m-1", 6000], 0, ["missed", 1, 2, 3], 4, 5, ["end", 1]]);
});

test("an async bot does not hold up other matches", async () => {
  let open;
  const gate = new Promise((resolve) => (open = resolve));
  const missed = [];
  class Thinker extends SpaceballsBot {
    missed(ticks) {
      missed.push(...ticks);
    }

    async decide() {
      if (this.match.match === "m-1" && this.tick === 0) await gate;
      return { thrust: [0, 1] };
    }
  }
  const script = async (peer) => {
    await peer.welcome();
    await peer.start("m-1");
    await peer.start("m-2");
    peer.send(...[0, 1, 2, 3].map((tick) => observation(tick, "m-1")));
    assert.equal((await peer.ask(0, "m-2")).match, "m-2");
    open();
    assert.deepEqual([(await peer.receive()).tick, (await peer.receive()).tick], [0, 3]);
    peer.end("m-1");
    peer.end("m-2");
  };
  assert.equal((await serving([script], (url) => play(Thinker, url, { ...once, matches: 2 }))).length, 2);
  assert.deepEqual(missed, [1, 2]);
});

test("an async bot that never answers is given up at the end", async () => {
  class Sphinx extends SpaceballsBot {
    decide() {
      return new Promise(() => {});
    }
  }
  const script = async (peer) => {
    await peer.welcome();
    await peer.start();
    peer.send(observation(0));
    peer.end();
  };
  assert.equal((await serving([script], (url) => play(Sphinx, url, once))).length, 1);
});

test("an exception in an async bot costs a tick", async () => {
  class Broken extends SpaceballsBot {
    async decide() {
      throw new Error("no idea");
    }
  }
  const script = async (peer) => {
    await peer.welcome();
    await peer.start();
    assert.deepEqual(await peer.ask(0), { ...COAST, tick: 0 });
    peer.end();
  };
  await serving([script], (url) => play(Broken, url, once));
});

// --- what the server says ------------------------------------------------------------------------

test("unknown messages are ignored and errors told once", async () => {
  const script = async (peer) => {
    await peer.welcome();
    peer.send({ type: "weather", sun: true }, { type: "weather", sun: false }, Buffer.from("bytes"), "no JSON", "[]");
    for (let count = 0; count < 3; count++) peer.send({ type: "error", code: "late", message: "too late" });
    peer.send({ type: "notice", code: "announcement", message: "Finals at noon." });
    await peer.start();
    await peer.ask(0);
    peer.end();
  };
  const log = notes();
  assert.equal((await serving([script], (url) => play(Diary, url, { matches: 1, log }))).length, 1);
  for (const text of ["unknown type weather", "no JSON object", "error late: too late", "Finals at noon."])
    assert.equal(log.lines.filter((line) => line.includes(text)).length, 1, text);
});

for (const code of ["bad_token", "bad_name", "server_full", "unsupported_protocol"]) {
  test(`a refused hello is told: ${code}`, async () => {
    const script = async (peer) => {
      await peer.receive();
      peer.send({ type: "error", code, message: "the reason" });
      await peer.untilClosed();
    };
    const playing = serving([script], (url) => play(Diary, url, QUIET));
    await assert.rejects(playing, (problem) => {
      assert.equal(problem.message, `refused by the server (${code}): the reason`);
      return problem instanceof Refused && problem.code === code && problem.exitStatus === 5;
    });
  });
}

// --- no connection -------------------------------------------------------------------------------

test("nobody listens", async () => {
  const url = await serving([], async (address) => address);
  const options = patient();
  await assert.rejects(play(Diary, url, options), (problem) => {
    assert.match(problem.message, /nobody listens at 127.0.0.1:\d+; is the server running\?/);
    return problem instanceof Unreachable && problem.exitStatus === 3;
  });
  assert.deepEqual(options.waits, []);
});

for (const [status, kind, says] of [
  [401, Refused, "HTTP 401: who are you?; check the token"],
  [403, Refused, "HTTP 403: who are you?"],
  [404, NotFangnetz, "/play: HTTP 404: who are you?; check host, port and path"],
  [503, Refused, "HTTP 503: who are you?"],
]) {
  test(`the answer HTTP ${status} is told with the server's text`, async () => {
    await assert.rejects(serving([status], (url) => play(Diary, url, QUIET)), (problem) => {
      assert.ok(problem.message.includes(says), problem.message);
      return problem instanceof kind;
    });
  });
}

test("a busy server is tried again once the bot was in", async () => {
  const options = patient();
  const results = await serving([welcomeAndHangUp, 503, 502, oneMatch], (url) => play(Diary, url, { matches: 1, ...options }));
  assert.equal(results.length, 1);
  assert.deepEqual(options.waits, [1000, 2000, 4000]);
});

test("a WebSocket server of another kind", async () => {
  const silent = async (peer) => void (await peer.untilClosed());
  const playing = serving([silent, silent], (url) => play(Diary, url, QUIET), { protocol: false });
  await assert.rejects(playing, (problem) => problem instanceof NotFangnetz && /but not fangnetz.v1/.test(problem.message));
});

for (const answer of ["SSH-2.0-OpenSSH_9.2\r\n", "", "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"]) {
  test(`something else listens: ${JSON.stringify(answer)}`, async () => {
    const server = net.createServer((socket) => socket.once("data", () => socket.end(answer)).on("error", () => {}));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await assert.rejects(play(Diary, `ws://127.0.0.1:${server.address().port}`, QUIET), NotFangnetz);
    } finally {
      server.close();
    }
  });
}

test("TLS where there is none", async () => {
  const playing = serving([], (url) => play(Diary, url.replace("ws://", "wss://"), QUIET));
  await assert.rejects(playing, /is it ws:\/\/ instead of wss:\/\//);
});

for (const [wrong, says] of [
  [null, "give a bot class"],
  [class {}, "that is no bot"],
  [() => ({ decide() {} }), "that is no bot"],
  [class Nameless extends Bot {}, "Nameless has to name its game"],
]) {
  test(`what is no bot is refused: ${says} (${wrong})`, async () => {
    await assert.rejects(play(wrong, "ws://127.0.0.1:1", QUIET), (problem) => problem instanceof WrongUse && problem.message.includes(says));
  });
}
