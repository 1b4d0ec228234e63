import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { type WebSocket, WebSocketServer } from "ws";
import { PING_SECONDS } from "../../core/limits.ts";
import { Refusal, refusal } from "../../core/protocol/refusal.ts";
import type { Context } from "../domain/context.ts";
import type { DeviceRecord } from "../domain/ports.ts";
import { authenticateImporter } from "./auth/authorize.ts";
import { toRefusal } from "./answer-refusal.ts";
import { pathOf } from "./call-log.ts";
import { endWithRefusal } from "./end-with-refusal.ts";
import type { HostGuard } from "./host-guard.ts";
import { notifyDevice } from "./notify-device.ts";

export const SOCKET_PATH = "/importer/socket";
/** Close code when the socket's importer was deleted. Applications may use 4000–4999. */
const REVOKED = 4401;
/** Close code when the token could not be checked (RFC 6455 §7.4.1). The importer connects again. */
const TROUBLE = 1011;

export interface SocketOptions {
  readonly context: Context;
  readonly log: Logger;
  readonly nextRequestId: () => string;
  readonly guardHost: HostGuard;
}

/**
 * Sends notifications to importers at `/importer/socket` (rule I3): that something changed, never what. Pings
 * every `PING_SECONDS` and disconnects clients that did not answer the previous ping.
 * @returns a function that closes every socket
 */
export function openSockets(
  server: Server,
  { context, log, nextRequestId, guardHost }: SocketOptions,
): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 1024 });
  sockets.on("headers", (headers) => headers.push(`X-Request-Id: ${nextRequestId()}`));
  const alive = new WeakSet<WebSocket>();
  const accept = (socket: WebSocket, device: DeviceRecord, headers: IncomingHttpHeaders): void => {
    // This also keeps the device's last-seen time current and notices a token revoked without a notification.
    const checkToken = () =>
      void authenticateImporter(context, headers).catch((error: unknown) =>
        socket.close(error instanceof Refusal ? REVOKED : TROUBLE),
      );
    alive.add(socket);
    socket.on("pong", () => {
      alive.add(socket);
      checkToken();
    });
    // A broken socket closes automatically; its importer reconnects and reads the state again.
    socket.on("error", () => socket.terminate());
    const stop = notifyDevice(context, device.deviceId, {
      send: (message) => socket.send(JSON.stringify(message)),
      checkToken,
      onError: (error) => log.error({ err: error }, "looking again failed; retrying"),
    });
    socket.on("close", stop);
  };
  const refuse = (connection: Duplex, path: string, error: unknown): void => {
    const refused = toRefusal(error);
    const id = nextRequestId();
    const call = { request_id: id, path, status: refused.status };
    if (refused.status < 500) log.info(call, "refused upgrade");
    else log.error({ ...call, err: error }, "trouble");
    endWithRefusal(connection, refused, { "x-request-id": id });
  };
  sockets.on("wsClientError", (_error, connection, request) =>
    refuse(connection, pathOf(request.url ?? ""), refusal("REQUEST_MALFORMED")),
  );
  server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    connection.on("error", () => connection.destroy());
    const path = pathOf(request.url ?? "");
    authenticate(path, request, { context, guardHost })
      .then((device) =>
        sockets.handleUpgrade(request, connection, head, (socket) =>
          accept(socket, device, request.headers),
        ),
      )
      .catch((error: unknown) => refuse(connection, path, error));
  });
  const pinging = setInterval(() => {
    for (const socket of sockets.clients) {
      if (alive.delete(socket)) socket.ping();
      else socket.terminate();
    }
  }, PING_SECONDS * 1000);
  pinging.unref();
  return () => {
    clearInterval(pinging);
    for (const socket of sockets.clients) socket.close(1001);
    sockets.close();
  };
}

/** @throws {Refusal} 421 HOST_UNKNOWN, 404 PATH_UNKNOWN, and what `authenticateImporter` throws */
async function authenticate(
  path: string,
  request: IncomingMessage,
  { context, guardHost }: Pick<SocketOptions, "context" | "guardHost">,
): Promise<DeviceRecord> {
  const refused = guardHost(request);
  if (refused !== undefined) throw refused;
  if (path !== SOCKET_PATH) throw refusal("PATH_UNKNOWN");
  return authenticateImporter(context, request.headers);
}
