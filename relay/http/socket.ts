import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import { type Refusal, refusal } from "../../core/refusal.ts";
import type { Context } from "../domain/context.ts";
import type { DeviceRecord } from "../domain/ports.ts";
import { admitImporter } from "./doors.ts";
import { errorHeaders, errorJson, toRefusal } from "./answer-refusal.ts";
import { pathOf } from "./call-log.ts";

export const SOCKET_PATH = "/importer/socket";
const PING_MS = 30_000;
/** Close code of a socket whose importer was deleted; 4000–4999 are free for applications. */
const REVOKED = 4401;

/**
 * The doorbell of importers at `/importer/socket` (rule I3): says that something changed, never what.
 * Pings every 30 s and drops who did not answer the one before.
 * @returns what closes every socket
 */
export function openSockets(server: Server, context: Context): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  const alive = new WeakSet<WebSocket>();
  server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    connection.on("error", () => connection.destroy());
    void admitOrRefuse(request, context).then((admitted) => {
      if (!("deviceId" in admitted)) {
        refuseUpgrade(connection, admitted);
        return;
      }
      sockets.handleUpgrade(request, connection, head, (socket) => {
        // Also a sign of life of its device, and how a revoked token is noticed in silence.
        const assertKnown = () =>
          void admitImporter(context, request.headers).catch(() => socket.close(REVOKED));
        alive.add(socket);
        socket.on("pong", () => {
          alive.add(socket);
          assertKnown();
        });
        // A broken socket closes by itself; its importer comes back and reads the state anew.
        socket.on("error", () => socket.terminate());
        serve(socket, context, admitted, assertKnown);
      });
    });
  });
  const pinging = setInterval(() => {
    for (const socket of sockets.clients) {
      if (alive.delete(socket)) socket.ping();
      else socket.terminate();
    }
  }, PING_MS);
  pinging.unref();
  return () => {
    clearInterval(pinging);
    for (const socket of sockets.clients) socket.close(1001);
    sockets.close();
  };
}

function serve(
  socket: WebSocket,
  { doorbell }: Context,
  { deviceId }: DeviceRecord,
  assertKnown: () => void,
): void {
  const stop = doorbell.listen(`device:${deviceId}`, (ring) => {
    const message: SocketMessage = ring;
    socket.send(JSON.stringify(message));
    assertKnown();
  });
  socket.on("close", stop);
}

async function admitOrRefuse(
  request: IncomingMessage,
  context: Context,
): Promise<DeviceRecord | Refusal> {
  if (pathOf(request.url ?? "") !== SOCKET_PATH) return refusal("PATH_UNKNOWN");
  try {
    return await admitImporter(context, request.headers);
  } catch (error) {
    return toRefusal(error);
  }
}

function refuseUpgrade(connection: Duplex, refused: Refusal): void {
  const body = errorJson(refused);
  const headers = {
    ...errorHeaders(refused),
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  connection.end(`HTTP/1.1 ${refused.status} Refused\r\n${lines.join("")}\r\n${body}`);
}
