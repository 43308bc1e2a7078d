/**
 * The messages that a spectator gets (protocol P3), as the JavaScript SDK has them. Nothing here runs in the browser.
 *
 * @typedef {import("../../../clients/javascript/types/messages.js").LobbyMatch} MatchEntry One match in the lobby.
 * @typedef {import("../../../clients/javascript/types/messages.js").Matches} MatchesMessage
 * @typedef {import("../../../clients/javascript/types/messages.js").LobbyTournament} TournamentEntry
 * @typedef {import("../../../clients/javascript/types/messages.js").Tournaments} TournamentsMessage
 * @typedef {import("../../../clients/javascript/types/messages.js").MatchEnd} MatchEnd
 * @typedef {import("../../../clients/javascript/types/messages.js").Seat & {connected?: boolean}} Seat
 * @typedef {Omit<import("../../../clients/javascript/types/messages.js").WatchStart, "setup"> & {setup: any}} MatchStart
 * @typedef {import("../../../clients/javascript/types/messages.js").Frame & {events?: GameEvent[]}} Frame A complete snapshot of what moves; the rest is the game's.
 * @typedef {import("../../../clients/javascript/types/messages.js").Right2LiveFramePlayer & {hidden?: boolean}} Right2LivePlayer `hidden`: where it is nobody knows who looks here.
 * @typedef {Omit<import("../../../clients/javascript/types/messages.js").Right2LiveFrame, "players"> & {players: Right2LivePlayer[]}} Right2LiveFrame
 * @typedef {import("../../../clients/javascript/types/messages.js").Right2LiveBriefing} Right2LiveSetup
 * @typedef {import("../../../clients/javascript/types/messages.js").SpaceballsPlace} Place
 * @typedef {import("../../../clients/javascript/types/messages.js").SpaceballsFrameBall} Ball
 * @typedef {import("../../../clients/javascript/types/messages.js").SpaceballsFrame} SpaceballsFrame
 * @typedef {import("../../../clients/javascript/types/messages.js").SpaceballsBriefing} SpaceballsSetup
 *
 * @typedef {object} GameEvent An event of any game, a plug-in's too.
 * @property {string} kind
 * @property {number} [seat]
 * @property {number | number[]} [by]
 * @property {number} [station]
 * @property {number} [mine]
 * @property {string} [into]
 */

/**
 * What the page itself passes around.
 *
 * @typedef {string | {seat: number}} Phrase A piece of a sentence: words, or a bot to be named.
 *
 * @typedef {object} Told An event in words.
 * @property {Phrase[]} text
 * @property {string} icon
 * @property {boolean} main True: worth being read aloud; false: a detail, hidden at first.
 *
 * @typedef {object} Effect Something that flashes where an event happened, in field coordinates.
 * @property {string} kind
 * @property {number} x
 * @property {number} y
 * @property {{x: number, y: number}[]} from
 *
 * @typedef {object} Cell A value in the scoreboard.
 * @property {string} text
 * @property {number} [share] From 0 to 1: drawn as a bar behind the text.
 * @property {string} [tone]
 *
 * @typedef {object} Row One bot in the scoreboard.
 * @property {number} seat
 * @property {string} icon
 * @property {string} role
 * @property {string} tone
 * @property {number} points
 * @property {boolean} connected
 * @property {Cell[]} cells
 * @property {number | null} [latency] Milliseconds of its last answer, where the frames tell.
 *
 * @typedef {object} Moment What to draw: a place between two frames.
 * @property {Frame} before
 * @property {Frame} after
 * @property {number} fraction From 0 (before) to 1 (after).
 * @property {Frame[]} trail The frames up to `before`, oldest first.
 * @property {{effect: Effect, age: number}[]} effects Ages in milliseconds.
 * @property {number} now Milliseconds.
 * @property {boolean} still The viewer asked for less motion.
 * @property {number | null} selected
 * @property {boolean} follow Stay with the selected bot.
 * @property {boolean} fog Show only what the selected bot sees.
 * @property {any} seen The observation of the selected bot, if it is known.
 *
 * @typedef {import("./static/draw/palette.js").Palette} Palette
 *
 * @typedef {object} Scene Draws one match.
 * @property {number} aspect Width by height.
 * @property {boolean} [restless] It moves between two frames too.
 * @property {(width: number, height: number, ratio: number, palette: Palette) => void} layout
 * @property {(context: CanvasRenderingContext2D, moment: Moment | null) => any} paint Returns what it drew.
 * @property {(place: {x: number, y: number}) => {x: number, y: number}} spot Where a place is drawn, in CSS pixels.
 *
 * @typedef {object} Hud The strip above the field.
 * @property {HTMLElement} element
 * @property {(frame: Frame) => void} update
 *
 * @typedef {object} GamePage What the page knows of one game; `games.js` lists them all.
 * @property {string} id
 * @property {string} title
 * @property {string} tick What a tick is called.
 * @property {string[]} columns Of the scoreboard, between the name and the points.
 * @property {{icon: string, tone: string, text: string}[]} legend
 * @property {(start: MatchStart) => Scene | null} scene Null: there is only the raw table.
 * @property {() => import("./static/games/plain.js").RawStage} [raw] Stands in for the canvas.
 * @property {(start: MatchStart) => Hud} hud
 * @property {(frame: any, start: MatchStart) => Row[]} rows
 * @property {{title: string, value: (row: Row) => number}[]} charts
 * @property {boolean} sees Whether its bots see but a part.
 * @property {(seen: any, seat: number) => any} [own] A frame from a bot's observation.
 * @property {(event: GameEvent) => Told} tell
 * @property {(event: GameEvent, frame: any, start: MatchStart) => Effect | null} effect
 * @property {(reason: string) => string} reason
 */

export {};
