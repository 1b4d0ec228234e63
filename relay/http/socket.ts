import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";
import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { PING_SECONDS } from "../../core/limits.ts";
import { SOCKET_PROTOCOL, type SocketMessage } from "../../core/protocol/importer-api.ts";
import { Refusal, refusal } from "../../core/protocol/refusal.ts";
import type { Context } from "../domain/context.ts";
import type { DeviceRecord } from "../domain/ports.ts";
import { callingImporter } from "../domain/caller.ts";
import { authenticateImporter, countUpgrade } from "./auth/authorize.ts";
import { socketHeaders } from "./auth/bearer-token.ts";
import { isCounted, noteCounted } from "./auth/callers.ts";
import { ChattySockets, DeviceSockets, type Sockets, socketsOf } from "./importer-sockets.ts";
import { commonHeaders } from "./common-headers.ts";
import type { Connections } from "./connections.ts";
import type { HostGuard, TrustedProxies } from "./host-guard.ts";
import { type CallLog, loggedPath, pathOf } from "./call-log.ts";
import { type Draining, stoppingRefusal } from "./draining.ts";
import { notifyDevice } from "./notify-device.ts";
import { endWithRefusal, toRefusal } from "./answer-refusal.ts";
import { type LogTrouble, troubleOf } from "./trouble-log.ts";

export const SOCKET_PATH = "/importer/socket";
/** Close code when the socket's importer was deleted. Applications may use 4000–4999. */
const REVOKED = 4401;
/** Close code when the operator blocked the importer or its address (rules AD3, AD4). */
const BLOCKED = 4403;
/** Close code when the token could not be checked (RFC 6455 §7.4.1). The importer connects again. */
const TROUBLE = 1011;

interface ConnectingImporter {
  readonly headers: IncomingHttpHeaders;
  readonly address: string;
}

/** The most bytes that a socket's reader may leave unread; a notification has about 30. */
const MAX_UNREAD_BYTES = 65_536;

interface SocketOptions {
  readonly context: Context;
  readonly connections: Connections;
  readonly proxies: TrustedProxies;
  readonly callLog: CallLog;
  readonly logTrouble: LogTrouble;
  readonly nextRequestId: () => string;
  readonly guardHost: HostGuard;
  readonly draining: Draining;
}

/**
 * Sends notifications to importers at `/importer/socket` (rule I3), without the changed state itself. Pings every
 * `PING_SECONDS` and disconnects clients that did not answer the previous ping.
 */
export function openSockets(server: Server, options: SocketOptions): Sockets {
  const { context, connections, proxies, logTrouble, nextRequestId, guardHost, draining } = options;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: 1024,
    handleProtocols: (offered) => offered.has(SOCKET_PROTOCOL) && SOCKET_PROTOCOL,
  });
  sockets.on("headers", (headers) =>
    headers.push(`X-Request-Id: ${nextRequestId()}`, `${RELAY_MARK.name}: ${RELAY_MARK.value}`),
  );
  const alive = new WeakSet<WebSocket>();
  const chatty = new ChattySockets();
  const ofDevices = new DeviceSockets(context.admission);
  const refuse = refuseUpgrades(options);
  sockets.on("wsClientError", (_error, connection, request) =>
    refuse(connection, request, refusal("REQUEST_MALFORMED")),
  );
  server.on("upgrade", (request: IncomingMessage, connection: Duplex, head: Buffer) => {
    connection.on("error", () => connection.destroy());
    const begun = connections.begin(request);
    if (begun === "ended") return;
    if (begun instanceof Refusal) return refuse(connection, request, begun);
    const importer = {
      headers: socketHeaders(request.headers),
      address: proxies.clientOf(request),
    };
    authenticate(request, importer, { context, refused: guardHost(request) })
      .then((device) => {
        if (draining.isDraining) throw stoppingRefusal();
        const caller = callingImporter(device, importer.address);
        if (caller.isProven) connections.markProven(request.socket);
        const room = ofDevices.reserve(caller);
        connection.once("close", () => room[Symbol.dispose]());
        sockets.handleUpgrade(request, connection, head, (socket) => {
          room.fill(socket);
          serveSocket(socket, device, { context, logTrouble, alive, chatty, importer });
        });
      })
      .catch((error: unknown) => refuse(connection, request, error));
  });
  return socketsOf(sockets, draining, keepPinging(sockets, { alive, chatty }));
}

interface Serving extends Pick<SocketOptions, "context" | "logTrouble"> {
  /** The sockets that have answered since the last ping. */
  readonly alive: WeakSet<WebSocket>;
  readonly chatty: ChattySockets;
  readonly importer: ConnectingImporter;
}

/** Notifies one importer until its socket closes. */
function serveSocket(
  socket: WebSocket,
  { deviceId }: DeviceRecord,
  { context, logTrouble, alive, chatty, importer }: Serving,
): void {
  // This also keeps the device's last-seen time current and notices a token revoked without a notification.
  const checkToken = () =>
    void authenticateImporter(context, importer.headers, importer.address).catch((error: unknown) =>
      socket.close(closeCodeOf(error)),
    );
  alive.add(socket);
  chatty.watch(socket);
  socket.on("pong", () => {
    alive.add(socket);
    checkToken();
  });
  // A broken socket closes automatically; its importer reconnects and reads the state again.
  socket.on("error", () => socket.terminate());
  const stop = notifyDevice(context, deviceId, {
    send: (message) => sendMetered(socket, message, context),
    checkToken,
    onError: (error) => logTrouble(error, "looking again failed; retrying"),
  });
  socket.on("close", stop);
}

/** Pings all sockets regularly. Returns a function that stops it. */
function keepPinging(
  { clients }: WebSocketServer,
  { alive, chatty }: Pick<Serving, "alive" | "chatty">,
): () => void {
  const pinging = setInterval(() => {
    for (const socket of clients) {
      chatty.pinged(socket);
      if (alive.delete(socket)) socket.ping();
      else socket.terminate();
    }
  }, PING_SECONDS * 1000);
  pinging.unref();
  return () => clearInterval(pinging);
}

function sendMetered(socket: WebSocket, message: SocketMessage, { meter }: Context): void {
  if (socket.bufferedAmount > MAX_UNREAD_BYTES) return socket.terminate();
  const startedAt = performance.now();
  socket.send(JSON.stringify(message), (error) => {
    // An error means that the socket is gone.
    if (error === undefined || error === null)
      meter.notified((performance.now() - startedAt) / 1000);
  });
}

/** @throws {Refusal} 421 HOST_UNKNOWN, 404 PATH_UNKNOWN, 429 CALLS_TOO_MANY, and what `authenticateImporter` throws */
async function authenticate(
  request: IncomingMessage,
  { headers, address }: ConnectingImporter,
  { context, refused }: { readonly context: Context; readonly refused: Refusal | undefined },
): Promise<DeviceRecord> {
  if (refused !== undefined) throw refused;
  if (pathOf(request.url ?? "") !== SOCKET_PATH) throw refusal("PATH_UNKNOWN");
  const device = await authenticateImporter(context, headers, address);
  await countUpgrade(context, device);
  noteCounted(request);
  return device;
}

function closeCodeOf(error: unknown): number {
  if (!(error instanceof Refusal)) return TROUBLE;
  return error.status === 403 ? BLOCKED : REVOKED;
}

/** Returns a function that answers a connection that becomes no socket, and logs why. */
function refuseUpgrades({
  context: { meter },
  callLog,
  logTrouble,
  nextRequestId,
  proxies,
}: SocketOptions): (connection: Duplex, request: IncomingMessage, error: unknown) => void {
  return (connection, request, error) => {
    const refused = toRefusal(error);
    const { url = "" } = request;
    meter.refused(refused.code);
    const requestId = nextRequestId();
    const trouble = troubleOf(error, refused);
    if (trouble !== undefined) {
      logTrouble(trouble, "trouble", { request_id: requestId, path: loggedPath(url) });
    }
    const address = proxies.clientOf(request);
    callLog.refusedUpgrade({ requestId, url, address, refused, isCounted: isCounted(request) });
    endWithRefusal(connection, refused, commonHeaders(url, requestId));
  };
}
