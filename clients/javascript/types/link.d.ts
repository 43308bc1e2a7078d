/** Carries the messages of one connection between the server and the table. */
export class Link {
    /**
     * @param {WebSocket} socket an open connection to `/play`
     * @param {Table} table the matches of this client; it outlives the connection
     * @param {Log} log
     */
    constructor(socket: WebSocket, table: Table, log: Log);
    /**
     * Say hello and play until the table is done.
     * @param {import("../types/messages.js").Hello} hello
     * @param {(welcome: Welcome) => void} welcomed called with the welcome, before any match begins
     * @throws {import("./problems.js").Problem} the server refuses or says nothing, or the connection ended
     */
    play(hello: import("../types/messages.js").Hello, welcomed: (welcome: Welcome) => void): Promise<void>;
    /** End the connection with a closing handshake, but do not wait for it for long. */
    close(): Promise<void>;
    #private;
}
export type BotMessage = import("../types/messages.js").BotMessage;
export type ServerMessage = import("../types/messages.js").ServerMessage;
export type Welcome = import("../types/messages.js").Welcome;
export type Log = import("./player.js").Log;
export type Table = import("./table.js").Table;
