import assert from "node:assert/strict";
import { test } from "node:test";

import { socketUrl } from "../../server/fangnetz_server/web/static/sdk/feed.js";
import { sentenceText } from "../../server/fangnetz_server/web/static/dom.js";
import { gamePage, gameWords } from "../../server/fangnetz_server/web/static/games.js";
import { headline, winners } from "../../server/fangnetz_server/web/static/result.js";

const NAMES = ["Ada", "Ben", "Cleo"];
const nameAt = (seat) => NAMES[seat];
const told = async (game, event) => sentenceText((await gamePage(game)).tell(event).text, nameAt);

const SENTENCES = [
  ["right2live", { kind: "caught", seat: 0, by: [1] }, "Ben caught Ada"],
  ["right2live", { kind: "caught", seat: 0, by: [1, 2] }, "Ben and Cleo caught Ada"],
  ["right2live", { kind: "caught", seat: 0, by: [2, 1, 2] }, "Cleo, Ben and Cleo caught Ada"],
  ["right2live", { kind: "poisoned", seat: 1 }, "Ben ran out of life and turned red"],
  ["right2live", { kind: "forced", seat: 1 }, "Ben was the weakest and had to turn red"],
  ["right2live", { kind: "blocked", seat: 2 }, "Cleo bumped into something"],
  ["spaceballs", { kind: "refuelled", seat: 0, station: 3 }, "Ada took a station"],
  ["spaceballs", { kind: "mine_removed", mine: 3 }, "A mine vanished"],
  ["spaceballs", { kind: "crashed", seat: 1, into: "mine" }, "Ben crashed into a mine"],
  ["spaceballs", { kind: "crashed", seat: 1, into: "wall" }, "Ben crashed into a wall"],
  ["spaceballs", { kind: "caught", seat: 1, by: 0 }, "Ada caught Ben"],
  ["spaceballs", { kind: "timeout" }, "Time is up"],
  ["right2live", { kind: "danced" }, "danced"],
  ["chess", { kind: "taken", seat: 1, field: "e4" }, 'taken seat 1 field "e4"'],
];

for (const [game, event, sentence] of SENTENCES) {
  test(`${game}: ${sentence}`, async () => assert.equal(await told(game, event), sentence));
}

test("a failed step is a detail, a catch is not", async () => {
  assert.equal((await gamePage("right2live")).tell({ kind: "blocked", seat: 0 }).main, false);
  assert.equal((await gamePage("right2live")).tell({ kind: "caught", seat: 0, by: [1] }).main, true);
});

for (const reason of ["no_blue_left", "max_rounds", "walkover", "forfeit", "aborted", "infra_error"]) {
  test(`Right2Live has a sentence for the end by ${reason}`, () => {
    assert.match(gameWords("right2live").reason(reason), /^[A-Z].* .*\.$/);
  });
}

for (const reason of ["catch", "crash_mine", "crash_wall", "double_crash", "timeout", "walkover"]) {
  test(`Spaceballs has a sentence for the end by ${reason}`, () => {
    assert.match(gameWords("spaceballs").reason(reason), /^[A-Z].* .*\.$/);
  });
}

test("an unknown reason is shown as it is", () => {
  assert.equal(gameWords("spaceballs").reason("black_hole"), "black hole.");
});

test("the seats on the first place win", () => {
  assert.deepEqual(winners({ places: [2, 1, 3] }), [1]);
  assert.deepEqual(winners({ places: [1, 3, 1] }), [0, 2]);
});

test("all on the first place is a draw", () => {
  assert.deepEqual(winners({ places: [1, 1] }), []);
  assert.deepEqual(headline({ places: [1, 1], reason: "timeout" }, nameAt), ["A draw"]);
});

test("an aborted match has no result", () => {
  assert.deepEqual(headline({ places: [1, 1], reason: "aborted" }, nameAt), ["No result"]);
});

const ADDRESSES = [
  ["http://127.0.0.1:7474/", "watch", "ws://127.0.0.1:7474/watch"],
  ["http://host/arena/?match=a", "watch/a", "ws://host/arena/watch/a"],
  ["https://host/deep/prefix/", "watch/a%2Fb", "wss://host/deep/prefix/watch/a%2Fb"],
];

for (const [page, path, socket] of ADDRESSES) {
  test(`the page ${page} watches ${socket}`, () => assert.equal(socketUrl(path, page), socket));
}

/** The paths of all texts, and the number of arguments of those that take some. */
const shape = (value, path = "") =>
  value !== null && typeof value === "object"
    ? Object.entries(value).flatMap(([name, inner]) => shape(inner, `${path}.${name}`))
    : [`${path} ${typeof value}`];

test("the German texts are the same ones as the English, and differ from them", async () => {
  const { words } = await import("../../server/fangnetz_server/web/static/words.js");
  const { german } = await import("../../server/fangnetz_server/web/static/words.de.js");
  assert.deepEqual(shape(german).sort(), shape(words).sort());
  assert.notEqual(german.viewer.back, words.viewer.back);
});
