// Written by `make schema` from the models of fangnetz_protocol; do not edit.

/** What became of the action for a tick (P2.1). */
export type ActionStatus = "applied" | "blocked" | "late" | "missing" | "duplicate" | "invalid";

/** The eight directions of the grid and standing still (R1.2: NORTH is y - 1). */
export type Direction = "NONE" | "NORTH" | "NORTH_EAST" | "EAST" | "SOUTH_EAST" | "SOUTH" | "SOUTH_WEST" | "WEST" | "NORTH_WEST";

/** How far a match is. */
export type MatchPhase = "waiting" | "ready" | "running" | "over";

/** Why a match of any game can end, besides the reasons of its rules. */
export type MatchReason = "walkover" | "forfeit" | "aborted" | "infra_error";

/** How the ticks of a match follow one another (P2.2). */
export type Pace = "realtime" | "lockstep";

/** Why a match of Right2Live ends (R7). */
export type Right2LiveReason = "no_blue_left" | "max_rounds";

/** Why a match of Spaceballs ends (B5.1). */
export type SpaceballsReason = "catch" | "crash_mine" | "crash_wall" | "double_crash" | "timeout";

/** BLUE flees, RED catches. */
export type Team = "BLUE" | "RED";

/** Why a connection was closed, as the code of the WebSocket's close frame. */
export type CloseCode = 1000 | 1001 | 1003 | 1008 | 1009 | 1011 | 1012 | 4001 | 4002 | 4003 | 4004 | 4005 | 4006 | 4007;

/** What the peer did wrong, in `error.code`. */
export type ErrorCode = "not_json" | "bad_message" | "unknown_type" | "too_large" | "binary_frame" | "unexpected_message" | "forbidden" | "unsupported_protocol" | "unknown_match" | "not_seated" | "wrong_tick" | "late" | "duplicate" | "invalid_action" | "bad_token" | "bad_name" | "name_taken" | "unknown_resume" | "server_full" | "match_over" | "not_ready" | "rate_limited" | "internal";

/** News that are nobody's fault, in `notice.code`. */
export type NoticeCode = "waiting_for_opponents" | "waiting_for_match" | "match_cancelled" | "opponent_left" | "opponent_back" | "server_restarting" | "announcement";

/** What the bot does in one tick. All other fields are the game's part. */
export interface Action {
	type: "action";
	/** The match of the observation. */
	match: string;
	/** The tick of the observation that it answers (P2.1). */
	tick: number;
}

/** The bot as the server knows it. */
export interface BotInfo {
	/** Stays the same over connections with the same token. */
	id: string;
	/** The name that others see. */
	name: string;
}

export type BotMessage = Hello | Ready | Action | Leave;

/** The program that speaks, for the host's eyes only; nothing depends on it. */
export interface ClientInfo {
	/** Name of the client library or program. */
	name: string;
	/** Its version. */
	version: string;
	/** The programming language. */
	language?: string | null;
}

/** The peer did something wrong; the connection stays open (P1.8). */
export interface ErrorMessage {
	type: "error";
	/** What kind of fault, from the closed list of error codes. */
	code: ErrorCode;
	/** What was wrong, where, and what would be right. */
	message: string;
	/** What it is about. */
	ref?: Ref | null;
	/** With `rate_limited`: milliseconds until the next message may come. */
	retry_after_ms?: number | null;
}

/** A complete snapshot of a tick (P3.2). All other fields are the game's part. */
export interface Frame {
	type: "frame";
	/** The match. */
	match: string;
	/** Number of the state that is shown. */
	tick: number;
}

/** A game that the server plays. */
export interface GameVersion {
	/** Name of the game, as in `match_start.game`. */
	id: string;
	/** Goes up when any outcome can change (P1.5). */
	rules_version: number;
}

/** The first message of a bot: who it is and what it plays. */
export interface Hello {
	type: "hello";
	/** Version of the messages that the bot speaks (P1.5); the first number has to be the server's. */
	protocol: string;
	/** The bot's credential, where the server wants one and the `Authorization` header has none (P1.6). */
	token?: string | null;
	/** The name to show; the server may hold it to the token's. */
	name?: string | null;
	/** The program that speaks. */
	client?: ClientInfo | null;
	/** Games that the bot can play; left out: all. */
	games?: string[] | null;
	/** The `resume` of an earlier `welcome`: take over its seats (P2.4). */
	resume?: string | null;
}

/** What became of an action (P2.1). */
export interface LastAction {
	/** The tick of the observation that it answered. */
	tick: number;
	/** What became of it. */
	status: ActionStatus;
	/** Milliseconds from sending the observation to having the action; null if none came. */
	latency_ms: number | null;
}

/** The bot gives up its seat in a match; the seat gives neutral actions from then on (P2.5). */
export interface Leave {
	type: "leave";
	/** The match to leave. */
	match: string;
}

/** What the server takes from one connection. */
export interface Limits {
	/** Largest message in bytes of UTF-8. */
	message_bytes: number;
	/** More than this counts as a fault (`rate_limited`). */
	messages_per_second: number;
	/** Faults in a match after which the connection is closed with 1008 (P1.8). */
	strikes: number;
}

/** A match as the lobby shows it. */
export interface LobbyMatch {
	/** Name of the match, for `/watch/{match}`. */
	match: string;
	/** Name of the game. */
	game: string;
	/** How far it is. */
	phase: MatchPhase;
	/** Number of the newest tick. */
	tick: number;
	/** Number of the last possible tick; null where the rules set none. */
	ticks: number | null;
	/** All seats, in order. */
	seats: LobbySeat[];
	/** Number of connections that watch it. */
	spectators: number;
	/** Why it ended, as in `match_end`. */
	reason?: string | null;
	/** Points of each seat, once it is over. */
	points?: number[] | null;
	/** Place of each seat, once it is over. */
	places?: number[] | null;
}

/** One place in a match, as the lobby shows it. */
export interface LobbySeat {
	/** Number of the seat, from 0. */
	seat: number;
	/** Name of the bot on it. */
	name: string;
	/** True while its bot has a connection. */
	connected: boolean;
}

/** A tournament as the lobby shows it, as far as its results are public. */
export interface LobbyTournament {
	/** Its id, for `/api/tournaments/{id}`. */
	id: string;
	/** What people call it. */
	name: string;
	/** Name of the game. */
	game: string;
	/** `created`, `running`, `paused` or `finished`. */
	state: string;
	/** Number of its matches that are over. */
	done: number;
	/** Number of all its matches as far as that is known; null: it has no end. */
	total: number | null;
	/** The top of its table. */
	standings: StandingLine[];
}

/** The match is over; lists have one entry a seat, in seat order. */
export interface MatchEnd {
	type: "match_end";
	/** The match. */
	match: string;
	/** Why it ended: a `MatchReason` or a reason of the game (`Right2LiveReason`, `SpaceballsReason`). */
	reason: string;
	/** Place of each seat, from 1; equal seats share one (1, 1, 3). */
	places: number[];
	/** Points of each seat. */
	points: number[];
	/** Number of the last tick. */
	ticks: number;
	/** Path of the replay on the same server, relative to its root; null if there is none. */
	replay: string | null;
}

/** A match begins, or goes on after a resume; to be answered with `ready`. */
export interface MatchStart {
	type: "match_start";
	/** Name of the match in all its messages. */
	match: string;
	/** Name of the game. */
	game: string;
	/** Version of the game's rules (P1.5). */
	rules_version: number;
	/** The ruleset in force, every field given. */
	ruleset: Record<string, any>;
	/** All seats, in order. */
	seats: Seat[];
	/** How the ticks follow one another (P2.2). */
	pace: Pace;
	/** `realtime`: milliseconds from tick to tick. */
	tick_ms: number;
	/** Milliseconds to answer an observation; with `realtime` (action_delay + 1) ticks. */
	deadline_ms: number;
	/** `lockstep`: milliseconds of extra time for the whole match. */
	bank_ms: number;
	/** `realtime`: ticks by which an action takes effect later (P2.2). */
	action_delay: number;
	/** Number of the last possible tick; null where the rules set none. */
	ticks: number | null;
	/** The game's static part: the map or the field. */
	setup: Record<string, any>;
	/** The bot's own seat. */
	seat: number;
}

/** The lobby: first the full list, then the matches that changed (P3.1). */
export interface Matches {
	type: "matches";
	/** The matches; each entry replaces an earlier one of the same match. */
	matches: LobbyMatch[];
	/** True: forget all others. False: only these have changed. */
	full: boolean;
}

export type Message = Hello | Ready | Action | Leave | Welcome | MatchStart | Observation | MatchEnd | ErrorMessage | Notice | Matches | Tournaments | WatchStart | Frame;

/** Something that the peer should know; nobody's fault. */
export interface Notice {
	type: "notice";
	/** What kind of news, from the closed list of notice codes. */
	code: NoticeCode;
	/** The news as a sentence. */
	message: string;
}

/** What the bot may know of a tick; to be answered with `action`. All other fields are the game's part. */
export interface Observation {
	type: "observation";
	/** The match. */
	match: string;
	/** Number of the state that is shown; 0 is the start position. */
	tick: number;
	/** Milliseconds left for the answer when this was sent. */
	deadline_ms: number;
	/** `lockstep`: milliseconds left in the time bank, on top of the deadline. */
	bank_ms: number;
	/** What became of the action before; null in the first observation. */
	last_action: LastAction | null;
	/** After a resume: the ticks since the last one that the bot answered (P2.4). */
	missed?: number[] | null;
}

/** The bot has prepared itself; the first tick comes when all are ready or the time is over. */
export interface Ready {
	type: "ready";
	/** The match of the `match_start`. */
	match: string;
}

/** What an error is about. */
export interface Ref {
	/** The match. */
	match?: string | null;
	/** The tick. */
	tick?: number | null;
	/** Path of the field inside the message ("thrust.0"). */
	field?: string | null;
}

/** One place in a match. */
export interface Seat {
	/** Number of the seat, from 0. */
	seat: number;
	/** Name of the bot on it. */
	name: string;
}

export type ServerMessage = Welcome | MatchStart | Observation | MatchEnd | ErrorMessage | Notice;

export type SpectatorMessage = Matches | Tournaments | WatchStart | Frame | MatchEnd | ErrorMessage | Notice;

/** A line of a tournament's table. */
export interface StandingLine {
	/** The place, from 1; equal bots share one. */
	rank: number;
	/** Name of the bot. */
	name: string;
	/** Its points. */
	points: number;
}

/** The tournaments of the lobby, the newest first: always all of them (P3.1). */
export interface Tournaments {
	type: "tournaments";
	/** The tournaments. */
	tournaments: LobbyTournament[];
}

/** The match that a spectator sees: a `match_start` without a seat of its own. */
export interface WatchStart {
	type: "match_start";
	/** Name of the match in all its messages. */
	match: string;
	/** Name of the game. */
	game: string;
	/** Version of the game's rules (P1.5). */
	rules_version: number;
	/** The ruleset in force, every field given. */
	ruleset: Record<string, any>;
	/** All seats, in order. */
	seats: Seat[];
	/** How the ticks follow one another (P2.2). */
	pace: Pace;
	/** `realtime`: milliseconds from tick to tick. */
	tick_ms: number;
	/** Milliseconds to answer an observation; with `realtime` (action_delay + 1) ticks. */
	deadline_ms: number;
	/** `lockstep`: milliseconds of extra time for the whole match. */
	bank_ms: number;
	/** `realtime`: ticks by which an action takes effect later (P2.2). */
	action_delay: number;
	/** Number of the last possible tick; null where the rules set none. */
	ticks: number | null;
	/** The game's static part: the map or the field. */
	setup: Record<string, any>;
	/** Only with `view=seat:N`: the seat whose view the frames hold (P3.6). */
	seat?: number | null;
}

/** The answer to `hello`: the bot is in. */
export interface Welcome {
	type: "welcome";
	/** Version of the messages that the server speaks. */
	protocol: string;
	/** Version of the server. */
	server: string;
	/** Name of this session in the host's logs; no secret. */
	session: string;
	/** Secret to put into the next `hello` after a lost connection (P2.4). */
	resume: string;
	/** Under which id and name it is known. */
	bot: BotInfo;
	/** What the server takes from this connection. */
	limits: Limits;
	/** The games of this server. */
	games: GameVersion[];
	/** What else the server can do; unknown entries are to be ignored. */
	features?: Record<string, any>;
	/** True if the seats of an earlier session were taken over. */
	resumed?: boolean;
}

/** A step failed (R3.4). */
export interface Right2LiveBlocked {
	kind: "blocked";
	/** The seat that stood still. */
	seat: number;
}

/** The static part, in `match_start.setup`. */
export interface Right2LiveBriefing {
	/** Rows from north to south, `#` a wall, `.` a free field; all of one length (R1.1). */
	map: string[];
	/** Rows of the map's size (R1.3); spectators only, bots never get it (R8.1). */
	toxicity?: string[] | null;
}

/** A BLUE was touched and is RED now (R5.2). */
export interface Right2LiveCaught {
	kind: "caught";
	/** The seat that was caught. */
	seat: number;
	/** All seats that touched him, in seat order. */
	by: number[];
}

export type Right2LiveEvent = Right2LiveCaught | Right2LivePoisoned | Right2LiveForced | Right2LiveBlocked;

/** The BLUE with the lowest life had to change (R5.4). */
export interface Right2LiveForced {
	kind: "forced";
	/** The seat that changed. */
	seat: number;
}

/** The game part of a frame: a complete snapshot of what moves (P3.3). */
export interface Right2LiveFrame extends Frame {
	/** All players, in seat order. */
	players: Right2LiveFramePlayer[];
	/** Number of BLUE players. */
	blue: number;
	/** Number of RED players. */
	red: number;
	/** Round of the last change of a team, 0 before the first (R5.4). */
	last_change: number;
	/** Round of the next forced change if nobody changes before; null with fewer than two BLUE. */
	next_forced: number | null;
	/** What happened in this round. */
	events: (Right2LiveCaught | Right2LivePoisoned | Right2LiveForced | Right2LiveBlocked)[];
}

/** One player as spectators see him. */
export interface Right2LiveFramePlayer {
	/** The player's seat. */
	seat: number;
	/** Column, from 0 at the left. */
	x: number;
	/** Row, from 0 at the top. */
	y: number;
	/** Direction that the player looks at. */
	view: Direction;
	/** The player's team. */
	team: Team;
	/** Life points, 100.0 at the start. */
	life: number;
	/** Points so far, rounded to 6 decimals (R6.4). */
	points: number;
	/** Rounds on this field without a change of field (R4.1). */
	standing: number;
	/** True while the player's bot has a connection. */
	connected?: boolean;
	/** Milliseconds that the bot took for its last answer; null if it gave none. */
	latency_ms?: number | null;
}

/** The observing bot itself. */
export interface Right2LiveMe {
	/** Column, from 0 at the left. */
	x: number;
	/** Row, from 0 at the top. */
	y: number;
	/** Direction that the bot looks at. */
	view: Direction;
	/** The own team. */
	team: Team;
	/** Life points, 100.0 at the start; below zero is shown as it is (R1.6). */
	life: number;
	/** Points so far, rounded to 6 decimals (R6.4). */
	points: number;
	/** Rounds on this field without a change of field (R4.1). */
	standing: number;
	/** Poison of the own field, in life points a round. */
	toxicity: number;
}

/** The game part of an action: one step and the direction to look at (R2.2). */
export interface Right2LiveMove {
	/** One of the eight directions, or NONE. */
	move?: Direction;
	/** One of the eight directions; left out or null: the view stays as it is. */
	view?: Direction | null;
}

/** The game part of an observation: what one bot may know (R8). */
export interface Right2LiveObservation extends Observation {
	/** The own player. */
	me: Right2LiveMe;
	/** The others whose position is known, in seat order. */
	players: Right2LivePlayer[];
	/** One entry a seat, the own seat included. */
	teams: Team[];
	/** Life points, one entry a seat. */
	lives: number[];
	/** Round of the last change of a team, 0 before the first (R5.4). */
	last_change: number;
	/** Round of the next forced change if nobody changes before; null with fewer than two BLUE. */
	next_forced: number | null;
	/** What happened in this round; `blocked` only for the own seat. */
	events: (Right2LiveCaught | Right2LivePoisoned | Right2LiveForced | Right2LiveBlocked)[];
}

/** Another player whose position is known (R8.1, R8.2). */
export interface Right2LivePlayer {
	/** The player's seat. */
	seat: number;
	/** Column, from 0 at the left. */
	x: number;
	/** Row, from 0 at the top. */
	y: number;
	/** Direction that the player looks at. */
	view: Direction;
	/** The player's team. */
	team: Team;
}

/** A BLUE ran out of life and is RED now (R5.1). */
export interface Right2LivePoisoned {
	kind: "poisoned";
	/** The seat that changed. */
	seat: number;
}

/** A ball as the bots see it: lengths in field widths, times in seconds. */
export interface SpaceballsBall {
	/** Centre, field widths from the left wall. */
	x: number;
	/** Centre, field widths from the lower wall. */
	y: number;
	/** Velocity in field widths a second. */
	vx: number;
	/** Velocity in field widths a second. */
	vy: number;
	/** Acceleration of the last tick, in field widths a second squared. */
	ax: number;
	/** Acceleration of the last tick, in field widths a second squared. */
	ay: number;
	/** Stations taken. */
	fuel: number;
}

/** The static part, in `match_start.setup`: the field at the start and the sizes (B1.1). */
export interface SpaceballsBriefing {
	/** All stations at the start. */
	stations: SpaceballsPlace[];
	/** All mines at the start. */
	mines: SpaceballsPlace[];
	/** Radius of a ball, in field widths. */
	ball_radius: number;
	/** Radius of a station, in field widths. */
	station_radius: number;
	/** Radius of a mine, in field widths. */
	mine_radius: number;
	/** Steps of a whole match. */
	steps: number;
	/** Steps under one action (B2.4). */
	steps_per_tick: number;
	/** Seconds a step. */
	dt: number;
	/** Size of the acceleration, in field widths a second squared. */
	thrust: number;
}

/** The ball with fewer stations was touched by the other (B4.4). */
export interface SpaceballsCaught {
	kind: "caught";
	/** The seat of the ball that was caught. */
	seat: number;
	/** The seat of the other, which gets the point. */
	by: number;
}

/** A ball touched a mine or a wall (B4.3). */
export interface SpaceballsCrashed {
	kind: "crashed";
	/** The seat of the ball. */
	seat: number;
	/** What it touched; a wall, if both. */
	into: "mine" | "wall";
}

export type SpaceballsEvent = SpaceballsRefuelled | SpaceballsMineRemoved | SpaceballsCrashed | SpaceballsCaught | SpaceballsTimeout;

/** The game part of a frame: a complete snapshot of what moves (P3.3). */
export interface SpaceballsFrame extends Frame {
	/** Steps since the start. */
	step: number;
	/** Seconds since the start. */
	time: number;
	/** Both balls, in seat order. */
	balls: SpaceballsFrameBall[];
	/** The stations that are left. */
	stations: SpaceballsPlace[];
	/** The mines that are left. */
	mines: SpaceballsPlace[];
	/** Seat of the ball with fewer stations; null with equal counts (B4.6). */
	defender: number | null;
	/** What happened in this tick. */
	events: (SpaceballsRefuelled | SpaceballsMineRemoved | SpaceballsCrashed | SpaceballsCaught | SpaceballsTimeout)[];
}

/** A ball as spectators see it. */
export interface SpaceballsFrameBall {
	/** Centre, field widths from the left wall. */
	x: number;
	/** Centre, field widths from the lower wall. */
	y: number;
	/** Velocity in field widths a second. */
	vx: number;
	/** Velocity in field widths a second. */
	vy: number;
	/** Acceleration of the last tick, in field widths a second squared. */
	ax: number;
	/** Acceleration of the last tick, in field widths a second squared. */
	ay: number;
	/** Stations taken. */
	fuel: number;
	/** The seat of the ball: 0 is red, 1 is blue (B1.5). */
	seat: number;
	/** Points of the seat, 0 or 1. */
	points: number;
	/** True while the ball's bot has a connection. */
	connected?: boolean;
	/** Milliseconds that the bot took for its last answer; null if it gave none. */
	latency_ms?: number | null;
}

/** A mine vanished (B4.6). */
export interface SpaceballsMineRemoved {
	kind: "mine_removed";
	/** Id of the mine. */
	mine: number;
}

/** The game part of an observation: everything (B6.1). */
export interface SpaceballsObservation extends Observation {
	/** Steps since the start. */
	step: number;
	/** Seconds since the start. */
	time: number;
	/** The own ball. */
	me: SpaceballsBall;
	/** The other ball. */
	opponent: SpaceballsBall;
	/** The stations that are left. */
	stations: SpaceballsPlace[];
	/** The mines that are left. */
	mines: SpaceballsPlace[];
	/** What happened in this tick. */
	events: (SpaceballsRefuelled | SpaceballsMineRemoved | SpaceballsCrashed | SpaceballsCaught | SpaceballsTimeout)[];
}

/** A station or a mine; its id stays the same for the whole match (B1.4). */
export interface SpaceballsPlace {
	/** Its number, from 0; stations and mines are counted apart. */
	id: number;
	/** Centre, field widths from the left wall. */
	x: number;
	/** Centre, field widths from the lower wall. */
	y: number;
}

/** A ball touched a station, which vanishes (B4.2). */
export interface SpaceballsRefuelled {
	kind: "refuelled";
	/** The seat of the ball. */
	seat: number;
	/** Id of the station. */
	station: number;
}

/** The game part of an action: where to accelerate in this tick (B2.2). */
export interface SpaceballsThrust {
	/** Direction [x, y], y upwards, components up to 1e6 in size; its length is ignored, [0, 0] coasts. */
	thrust: [number, number];
}

/** The last step passed without a point (B4.5). */
export interface SpaceballsTimeout {
	kind: "timeout";
}
