/**
 * Write bots for Fangnetz: extend `Right2LiveBot` or `SpaceballsBot`, implement `decide`, call `play`.
 *
 *     import { SpaceballsBot, play } from "fangnetz";
 *
 *     class Falling extends SpaceballsBot {
 *         decide(observation) {
 *             return { thrust: [0, -1] };
 *         }
 *     }
 *
 *     await play(Falling, "ws://127.0.0.1:7474");
 *
 * Nothing here needs more than a browser; in Node the package gives `node.js` instead, which adds `run`.
 */

export { DEFAULT_SERVER, playUrl } from "./address.js";
export { Backoff } from "./backoff.js";
export { Bot, LeaveMatch, Right2LiveBot, SpaceballsBot } from "./bot.js";
export { play } from "./client.js";
export { maxBy, minBy } from "./choose.js";
export { Feed, socketUrl } from "./feed.js";
export * from "./flight.js";
export { Grid, UNREACHABLE, countOf, fieldsOf, setOf } from "./grid.js";
export { Obstacles } from "./obstacles.js";
export { ConnectionLost, NotFangnetz, Problem, Refused, Unreachable, WrongUse } from "./problems.js";
export { PROTOCOL_VERSION, VERSION } from "./version.js";
export { COMPASS, OFFSETS } from "./words.js";
