import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { drip, type UpgradeBadly } from "./hostile-relay.ts";

/** The text that RFC 6455 appends to a key. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
const DEEP = `{"type":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;

/** Every kind of bad notification socket, by what it does. */
export const SOCKETS = {
  "never opens": () => {},
  "opens a byte at a time": (_, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nx-more: ");
    drip(socket, () => socket.write("y"));
  },
  "sends 1xx without end": (_, socket) =>
    drip(socket, () => socket.write("HTTP/1.1 103 Early Hints\r\n\r\n")),
  redirects: (_, socket) =>
    socket.end("HTTP/1.1 302 Found\r\nlocation: ws://192.0.2.1/\r\nconnection: close\r\n\r\n"),
  "is refused without an end": (_, socket) => {
    socket.write("HTTP/1.1 401 No\r\ntransfer-encoding: chunked\r\n\r\n");
    drip(socket, () => socket.write("1\r\nx\r\n"));
  },
  "has another key": (_, socket) =>
    socket.write(
      "HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: x\r\n\r\n",
    ),
  "is reset": (_, socket) => void socket.destroy(),
  "closes at once": opened((socket) => socket.close()),
  "breaks off at once": opened((socket) => socket.terminate()),
  "stays silent": opened(() => {}),
  "sends messages without end": opened((socket) => flood(socket, () => sent(socket, '{"type":1}'))),
  "sends pings without end": opened((socket) =>
    flood(socket, () => new Promise((resolve) => socket.ping("x", false, resolve))),
  ),
  "sends 60 kB messages without end": opened((socket) =>
    flood(socket, () => sent(socket, JSON.stringify("x".repeat(60_000)))),
  ),
  "sends a message of 10 MB": opened((socket) => socket.send(Buffer.alloc(1e7))),
  "sends 20,000 levels": opened((socket) => socket.send(DEEP)),
  "sends noise": (incoming, socket) => {
    accept(incoming, socket);
    socket.write(Buffer.alloc(4096, 0xff));
  },
} as const satisfies Readonly<Record<string, UpgradeBadly>>;

function opened(act: (socket: WebSocket) => void): UpgradeBadly {
  return (incoming, duplex, head) => {
    new WebSocketServer({ noServer: true }).handleUpgrade(incoming, duplex, head, (socket) => {
      socket.on("error", () => {});
      act(socket);
    });
  };
}

function accept({ headers }: IncomingMessage, socket: Duplex): void {
  const key = `${headers["sec-websocket-key"]}${GUID}`;
  const accepted = createHash("sha1").update(key).digest("base64");
  socket.write(
    `HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: ${accepted}\r\n\r\n`,
  );
}

function sent(socket: WebSocket, text: string): Promise<unknown> {
  return new Promise((resolve) => socket.send(text, resolve));
}

/** Sends for as long as somebody reads. */
function flood(socket: WebSocket, send: () => Promise<unknown>): void {
  if (socket.readyState !== socket.OPEN) return;
  void send().then(() => setImmediate(flood, socket, send));
}
