/**
 * The messages that a spectator gets (protocol P3), as types. Nothing here runs in the browser.
 *
 * @typedef {"waiting" | "ready" | "running" | "over"} Phase
 * @typedef {"BLUE" | "RED"} Team
 *
 * @typedef {object} Seat
 * @property {number} seat
 * @property {string} name
 * @property {boolean} [connected]
 *
 * @typedef {object} MatchEntry One match in the lobby.
 * @property {string} match
 * @property {string} game
 * @property {Phase} phase
 * @property {number} tick
 * @property {number | null} ticks
 * @property {Seat[]} seats
 * @property {number} spectators
 * @property {string} [reason]
 * @property {number[]} [points]
 * @property {number[]} [places]
 *
 * @typedef {object} MatchesMessage
 * @property {"matches"} type
 * @property {MatchEntry[]} matches
 * @property {boolean} full True: this is the whole list; false: these entries are new or changed.
 *
 * @typedef {object} MatchStart
 * @property {"match_start"} type
 * @property {string} match
 * @property {string} game
 * @property {number} rules_version
 * @property {Record<string, unknown>} ruleset
 * @property {Seat[]} seats
 * @property {"realtime" | "lockstep"} pace
 * @property {number} tick_ms
 * @property {number} deadline_ms
 * @property {number | null} ticks
 * @property {any} setup The static part of the game.
 *
 * @typedef {object} GameEvent
 * @property {string} kind
 * @property {number} [seat]
 * @property {number | number[]} [by]
 * @property {number} [station]
 * @property {number} [mine]
 * @property {string} [into]
 *
 * @typedef {object} Frame A complete snapshot of what moves; the rest is the game's.
 * @property {"frame"} type
 * @property {string} match
 * @property {number} tick
 * @property {GameEvent[]} [events]
 *
 * @typedef {object} MatchEnd
 * @property {"match_end"} type
 * @property {string} match
 * @property {string} reason
 * @property {number[]} places
 * @property {number[]} points
 * @property {number} ticks
 * @property {string | null} [replay]
 *
 * @typedef {object} Right2LivePlayer
 * @property {number} seat
 * @property {number} x
 * @property {number} y
 * @property {string} view
 * @property {Team} team
 * @property {number} life
 * @property {number} points
 * @property {number} standing
 * @property {boolean} [connected]
 * @property {number | null} [latency_ms]
 * @property {boolean} [hidden] Where it is nobody knows who looks here.
 *
 * @typedef {object} Right2LivePart
 * @property {Right2LivePlayer[]} players
 * @property {number} blue
 * @property {number} red
 * @property {number} last_change
 * @property {number | null} next_forced
 * @typedef {Frame & Right2LivePart} Right2LiveFrame
 *
 * @typedef {object} Right2LiveSetup
 * @property {string[]} map
 * @property {string[] | null} [toxicity]
 *
 * @typedef {object} Place
 * @property {number} id
 * @property {number} x
 * @property {number} y
 *
 * @typedef {object} Ball
 * @property {number} seat
 * @property {number} x
 * @property {number} y
 * @property {number} vx
 * @property {number} vy
 * @property {number} ax
 * @property {number} ay
 * @property {number} fuel
 * @property {number} points
 * @property {boolean} [connected]
 * @property {number | null} [latency_ms]
 *
 * @typedef {object} SpaceballsPart
 * @property {number} step
 * @property {number} time
 * @property {Ball[]} balls
 * @property {Place[]} stations
 * @property {Place[]} mines
 * @property {number | null} defender
 * @typedef {Frame & SpaceballsPart} SpaceballsFrame
 *
 * @typedef {object} SpaceballsSetup
 * @property {Place[]} stations
 * @property {Place[]} mines
 * @property {number} ball_radius
 * @property {number} station_radius
 * @property {number} mine_radius
 * @property {number} steps
 * @property {number} steps_per_tick
 * @property {number} dt
 * @property {number} thrust
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
