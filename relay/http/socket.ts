import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type WebSocket, WebSocketServer } from "ws";
import { PING_SECONDS } from "../../core/limits.ts";
import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import { Refusal, refusal } from "../../core/protocol/refusal.ts";
import type { Context } from "../domain/context.ts";
import type { DeviceRecord } from "../domain/ports.ts";
import { callingImporter } from "../domain/caller.ts";
import { authenticateImporter, countUpgrade } from "./auth/authorize.ts";
import type { Connections } from "./connections.ts";
import { DeviceSockets } from "./device-sockets.ts";
import type { TrustedProxies } from "./trusted-proxies.ts";
import { toRefusal } from "./answer-refusal.ts";
import { pathOf } from "./call-log.ts";
import { endWithRefusal } from "./end-with-refusal.ts";
import { notifyDevice } from "./notify-device.ts";

export const SOCKET_PATH = "/importer/socket";
/** Close code when the socket's importer was deleted. Applications may use 4000–4999. */
const REVOKED = 4401;
/** Close code when the token could not be checked (RFC 6455 §7.4.1). The importer connects again. */
const TROUBLE = 1011;

/** An importer sends nothing. More than so many messages and pings between two pings of ours ends its socket. */
const MAX_RECEIVED = 60;
const TOO_CHATTY = 1008;
/** What a socket's reader may leave unread; a notification has about 30 bytes. */
const MAX_UNREAD_BYTES = 65_536;

export interface SocketOptions {
  readonly context: Context;
  readonly connections: Connections;
  readonly proxies: TrustedProxies;
  readonly log: Logger;
  readonly nextRequestId: () => string;
}

/**
 * Sends notifications to importers at `/importer/socket` (rule I3): that something changed, never what. Pings
 * every `PING_SECONDS` and disconnects clients that did not answer the previous ping.
 * @returns a function that closes every socket
 */
export function openSockets(
  server: Server,
  { context, connections, proxies, log, nextRequestId }: SocketOptions,
): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  sockets.on("headers", (headers) => headers.push(`X-Request-Id: ${nextRequestId()}`));
  const alive = new WeakSet<WebSocket>();
  const ofDevices = new DeviceSockets(context.admission);
  const accept = (socket: WebSocket, device: DeviceRecord, headers: IncomingHttpHeaders): void => {
    // This also keeps the device's last-seen time current and notices a token revoked without a notification.
    const checkToken = () =>
      void authenticateImporter(context, headers).catch((error: unknown) =>
        socket.close(error instanceof Refusal ? REVOKED : TROUBLE),
      );
    alive.add(socket);
    limitReceived(socket);
    socket.on("pong", () => {
      alive.add(socket);
      checkToken();
    });
    // A broken socket closes automatically; its importer reconnects and reads the state again.
    socket.on("error", () => socket.terminate());
    const stop = notifyDevice(context, device.deviceId, {
      send: (message) => sendTo(socket, message),
      checkToken,
      onError: (error) => log.error({ err: error }, "looking again failed; retrying"),
    });
    socket.on("close", stop);
  };
  const refuse = refuseWith({ log, nextRequestId });
  sockets.on("wsClientError", (_error, connection, request) =>
    refuse(connection, pathOf(request.url ?? ""), refusal("REQUEST_MALFORMED")),
  );
  server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    connection.on("error", () => connection.destroy());
    const path = pathOf(request.url ?? "");
    const begun = connections.begin(request.socket);
    if (begun instanceof Refusal) return refuse(connection, path, begun);
    authenticate(path, request.headers, context)
      .then((device) => {
        const caller = callingImporter(device, proxies.clientOf(request));
        if (caller.isProven) connections.vouch(request.socket);
        const room = ofDevices.reserve(caller);
        connection.once("close", () => room[Symbol.dispose]());
        sockets.handleUpgrade(request, connection, head, (socket) => {
          room.fill(socket);
          accept(socket, device, request.headers);
        });
      })
      .catch((error: unknown) => refuse(connection, path, error));
  });
  const stopPinging = keepPinging(sockets, alive);
  return () => {
    stopPinging();
    for (const socket of sockets.clients) socket.close(1001);
    sockets.close();
  };
}

function refuseWith({ log, nextRequestId }: Pick<SocketOptions, "log" | "nextRequestId">) {
  return (connection: Duplex, path: string, error: unknown): void => {
    const refused = toRefusal(error);
    const id = nextRequestId();
    const call = { request_id: id, path, status: refused.status };
    if (refused.status < 500) log.info(call, "refused upgrade");
    else log.error({ ...call, err: error }, "trouble");
    endWithRefusal(connection, refused, { "x-request-id": id });
  };
}

function sendTo(socket: WebSocket, message: SocketMessage): void {
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate();
  else socket.send(JSON.stringify(message));
}

/** Returns a function that stops it. */
function keepPinging({ clients }: WebSocketServer, alive: WeakSet<WebSocket>): () => void {
  const pinging = setInterval(() => {
    for (const socket of clients) {
      if (alive.delete(socket)) socket.ping();
      else socket.terminate();
    }
  }, PING_SECONDS * 1000);
  pinging.unref();
  return () => clearInterval(pinging);
}

/** An importer has nothing to say on its socket: more than a few messages and pings end it (rule L6). */
function limitReceived(socket: WebSocket): void {
  let received = 0;
  const count = () => {
    received += 1;
    if (received <= MAX_RECEIVED) return;
    socket.close(TOO_CHATTY);
    socket.terminate();
  };
  socket
    .on("message", count)
    .on("ping", count)
    .on("pong", () => (received = 0));
}

/** @throws {Refusal} 404 PATH_UNKNOWN, 429 CALLS_TOO_MANY, and what `authenticateImporter` throws */
async function authenticate(
  path: string,
  headers: IncomingHttpHeaders,
  context: Context,
): Promise<DeviceRecord> {
  if (path !== SOCKET_PATH) throw refusal("PATH_UNKNOWN");
  const device = await authenticateImporter(context, headers);
  await countUpgrade(context, device);
  return device;
}
