/** Every text of the page, in one place. Functions take what the sentence is about. */

/** @param {number} count @param {string} one @param {string} [many] */
function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

export const words = {
  title: "Fangnetz",
  lobby: {
    live: "Live now",
    finished: "Finished",
    loading: "Looking for matches …",
    empty: "No match is running.",
    emptyHint: "This list updates by itself: a match appears here as soon as somebody starts one.",
    nothingFinished: "No match has ended yet.",
    more: (/** @type {number} */ count) => `Show ${count} more`,
    here: (/** @type {number} */ here, /** @type {number} */ all) => `${here} of ${counted(all, "bot")} here`,
    watching: (/** @type {number} */ count) => `${count} watching`,
    others: (/** @type {number} */ count) => `+${count}`,
    versus: "vs",
  },
  phase: {
    waiting: "Waiting for bots",
    ready: "Getting ready",
    running: "Live",
    over: "Finished",
  },
  connection: {
    connecting: "Connecting …",
    open: "Connected",
    lost: "Connection lost",
    lostHint: "Connection lost. What you see is the last known state; the page comes back by itself.",
    retry: "Try now",
    closed: "",
  },
  viewer: {
    back: "All matches",
    field: "Field of the match",
    waiting: "Waiting for the first tick …",
    loading: "Loading the match …",
    unknown: "There is no such match.",
    unknownHint: "It may have been played before the server was started anew.",
    score: "Score",
    events: "Events",
    noEvents: "From now on, what happens is listed here.",
    details: "Failed steps too",
    replay: "Replay",
    replayHint: "Download the replay of this match",
    legend: "What you see",
    frame: "State",
    result: "Result",
    of: (/** @type {number} */ ticks) => ` of ${ticks}`,
    points: (/** @type {number} */ points) => counted(points, "point"),
    bot: "Bot",
    bots: (/** @type {number} */ count) => counted(count, "bot"),
    pointsColumn: "Points",
    place: "Place",
    gone: "not connected",
    choose: (/** @type {string} */ name) => `Mark ${name} on the field`,
    pace: { realtime: "real time", lockstep: "lockstep" },
    draw: "A draw",
    noResult: "No result",
    wins: " wins",
    share: " share the first place",
  },
  reason: {
    walkover: "A bot did not show up.",
    forfeit: "A bot gave up.",
    aborted: "The host ended the match.",
    infra_error: "The server failed; the match does not count.",
  },
  right2live: {
    title: "Right2Live",
    tick: "Round",
    life: "Life",
    hunts: "Red hunts",
    flees: "Blue flees",
    legend: {
      red: "Red hunts: a Blue that it touches turns red.",
      blue: "Blue flees: the tip is where it looks, the ring is its life.",
      poison: "Poison: the greener, the faster a Blue loses life, and faster still if it stays.",
      wall: "Walls stop steps, touches and looks.",
    },
    forced: (/** @type {number} */ rounds) =>
      rounds > 0
        ? `Unless one is caught, the weakest Blue turns red in ${counted(rounds, "round")}`
        : "The weakest Blue turns red now",
    notForced: "Only one Blue is left: it cannot be forced to change",
    noneLeft: "No Blue is left",
    caught: " caught ",
    poisoned: " ran out of life and turned red",
    forcedEvent: " was the weakest and had to turn red",
    blocked: " bumped into something",
    and: " and ",
    comma: ", ",
    reason: { no_blue_left: "No Blue is left.", max_rounds: "The last round has passed." },
  },
  spaceballs: {
    title: "Spaceballs",
    tick: "Tick",
    fuel: "Stations",
    hunter: "hunts",
    hunted: "flees",
    even: "even",
    seconds: (/** @type {number} */ time) => `${time.toFixed(1)} s`,
    left: (/** @type {number} */ count) => `${counted(count, "station")} left`,
    legend: {
      hunter: "More stations: the ball with the spikes hunts and wins by touching the other.",
      hunted: "Fewer stations: the pale ball flees.",
      station: "Station: one more for the ball that takes it.",
      mine: "Mines and the striped walls: whoever touches one has lost.",
    },
    hunts: " hunts ",
    evenLong: "Even: who takes the next station hunts",
    refuelled: " took a station",
    removed: "A mine vanished",
    crashedMine: " crashed into a mine",
    crashedWall: " crashed into a wall",
    caught: " caught ",
    timeout: "Time is up",
    reason: {
      catch: "The hunter caught the other.",
      crash_mine: "A ball crashed into a mine.",
      crash_wall: "A ball crashed into a wall.",
      double_crash: "Both balls crashed in the same step.",
      timeout: "The time is up.",
    },
  },
};

/**
 * Why a match ended, as a sentence.
 * @param {Record<string, string>} ofGame
 * @param {string} reason
 */
export function reasonText(ofGame, reason) {
  const common = /** @type {Record<string, string>} */ (words.reason);
  return ofGame[reason] ?? common[reason] ?? `${reason.replaceAll("_", " ")}.`;
}
