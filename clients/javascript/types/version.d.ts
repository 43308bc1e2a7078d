/** Version of this package and of the server it comes with. */
export const VERSION: "0.1.0";
/** Version of the messages (P1.5). */
export const PROTOCOL_VERSION: "1.0";
/** The WebSocket subprotocol (P1.2). */
export const SUBPROTOCOL: "fangnetz.v1";
