// Bots in TypeScript: what is right compiles, and what is wrong does not.

import { Bot, Grid, Obstacles, Right2LiveBot, SpaceballsBot, minBy, motionOf, play, run } from "fangnetz";
import type { MatchEnd, Right2LiveMove, Right2LiveObservation, SpaceballsObservation, SpaceballsThrust } from "fangnetz/messages";

class Falcon extends SpaceballsBot {
	decide({ me, stations, mines }: SpaceballsObservation): SpaceballsThrust {
		const goal = minBy(stations, (it) => Math.hypot(it.x - me.x, it.y - me.y));
		const safe = new Obstacles(mines, this.setup).canStop(motionOf(me), 0.05);
		return { thrust: goal && safe ? [goal.x - me.x, goal.y - me.y] : [0, 0] };
	}

	end(result: MatchEnd): void {
		console.log(result.points[this.seat].toFixed());
	}
}

class Hound extends Right2LiveBot {
	grid!: Grid;

	start(): void {
		this.grid = new Grid(this.setup.map);
	}

	async decide({ me }: Right2LiveObservation): Promise<Right2LiveMove> {
		const [step] = this.grid.steps(this.grid.at(me.x, me.y));
		return step ? { move: step.direction } : {};
	}
}

class Wrong extends Right2LiveBot {
	decide(): Right2LiveMove {
		// @ts-expect-error: there is no direction UP.
		return { move: "UP" };
	}
}

class Lost extends SpaceballsBot {
	decide(seen: SpaceballsObservation): SpaceballsThrust {
		// @ts-expect-error: a ball has no z.
		return { thrust: [seen.me.z, 0] };
	}
}

class Nim extends Bot<{ heap: number }, { take: number }> {
	static game = "nim";

	decide({ heap }: { heap: number }): { take: number } {
		return { take: heap % 4 };
	}
}

const results: MatchEnd[] = await play(Falcon, "ws://127.0.0.1:7474", { matches: 1, signal: AbortSignal.timeout(1000) });
await run(() => new Hound(), "ws://127.0.0.1:7474", { name: results[0].match });
await Promise.all([Wrong, Lost, Nim].map((bot) => play(bot)));
// @ts-expect-error: a name is text.
await play(Falcon, "ws://127.0.0.1:7474", { name: 7 });
