/**
 * The WebSocket address of a path relative to a page, so that any prefix and TLS proxy works (P1.1).
 * @param {string} path @param {string} base the address of the page
 */
export function socketUrl(path: string, base: string): string;
/** What a spectator hears: of the lobby (`…/watch`) or of a match (`…/watch/MATCH`). */
export class Feed {
    /** @param {string} url the WebSocket address @param {FeedHandlers} handlers */
    constructor(url: string, handlers: FeedHandlers);
    /** Try again now instead of at the end of the wait. */
    retry(): void;
    /** The line is known to be dead: do not wait for the proof of it. */
    drop(): void;
    /** The stream is over or not wanted any more: no return. */
    close(): void;
    #private;
}
export type State = "connecting" | "open" | "lost" | "closed";
export type FeedHandlers = {
    /**
     * takes what the server says (`SpectatorMessage`)
     */
    message: (message: any) => void;
    /**
     * learns how the connection is
     */
    state: (state: State) => void;
};
