import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import type {
  ImportablePackage,
  PairedApp,
  SocketMessage,
} from "../../../core/protocol/importer-api.ts";
import { RELAY_MARK } from "../../../core/protocol/relay-mark.ts";
import { REFUSALS } from "../../../core/protocol/refusals.ts";
import { type SoundResults, statusOfResults } from "../../../core/protocol/package-status.ts";

const MARK = `${RELAY_MARK.name}: ${RELAY_MARK.value}`;

/** A call as the relay received it. */
export interface SeenCall {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | object;
  /** True for an answer of something else in the relay's place, which lacks the relay's mark (rule C5). */
  readonly isForeign?: boolean;
}

/**
 * A small relay that speaks the importer's API over a real port and keeps everything in memory.
 * A test looks at what it has seen, and may put an answer of its own before the usual one.
 */
export class StandInRelay {
  readonly calls: SeenCall[] = [];
  readonly devices = new Map<string, { deviceId: string; deviceName: string }>();
  readonly apps: PairedApp[] = [];
  readonly packages: ImportablePackage[] = [];
  /** Bytes of each download path. */
  readonly files = new Map<string, Buffer>();
  readonly reports = new Map<string, SoundResults>();
  /** Ids of packages whose files are gone: they aren't listed, but can be reported (rule S9). */
  readonly expired = new Set<string>();
  /** Paths whose answer was not read to its end. */
  readonly hungUp: string[] = [];
  /** Returns an answer in place of the usual one. */
  intercept: (call: SeenCall) => Reply | "hang" | "cut" | undefined = () => undefined;
  /** True to end each connection after its answer. */
  endsEachConnection = false;
  /** Versions of the importer's API. With 2, the list has pages without results; otherwise this is an older relay. */
  importerApi: readonly number[] = [1];
  pageSize = 2;
  /** The relay's instance; undefined for an older relay. */
  instance: string | undefined;
  /** Prefix of the tokens and devices that it makes. */
  name = "";
  url = "";

  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true });
  readonly #connections = new Set<Socket>();
  #registrations = 0;

  static async start(): Promise<StandInRelay> {
    const relay = new StandInRelay();
    await relay.#listen(0);
    return relay;
  }

  get openSockets(): readonly WebSocket[] {
    return [...this.#sockets.clients];
  }

  notify(message: SocketMessage | string): void {
    const text = typeof message === "string" ? message : JSON.stringify(message);
    for (const socket of this.#sockets.clients) socket.send(text);
  }

  ping(): void {
    for (const socket of this.#sockets.clients) socket.ping();
  }

  callsTo(method: string, path: string): SeenCall[] {
    return this.calls.filter((call) => call.method === method && call.path === path);
  }

  /** Closes the connections that no call is using; the notification socket stays. */
  closeIdle(): void {
    this.#server.closeIdleConnections();
  }

  /** Stops answering and cuts every connection; `restart` takes the same port again. */
  async stop(): Promise<void> {
    const closed = new Promise((resolve) => {
      this.#server.close(resolve);
    });
    for (const connection of this.#connections) connection.destroy();
    await closed;
  }

  /**
   * Answers again.
   * @param port the port of another stopped stand-in, to take its place
   */
  async restart(port = Number(new URL(this.url).port)): Promise<void> {
    await this.#listen(port);
  }

  constructor() {
    this.#sockets.on("headers", (headers) => headers.push(MARK));
    this.#server.on("connection", (socket: Socket) => {
      this.#connections.add(socket);
      socket.on("close", () => this.#connections.delete(socket));
    });
    this.#server.on("upgrade", (request, socket, head) => {
      const call = seen(request, "");
      this.calls.push(call);
      const reply = this.#deviceOf(call) === undefined ? { status: 401 } : this.intercept(call);
      if (typeof reply === "object") {
        const lines = [`HTTP/1.1 ${reply.status} No`, "Connection: close", MARK];
        socket.end(`${lines.join("\r\n")}\r\n\r\n`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, () => {});
    });
  }

  #listen(port: number): Promise<void> {
    return new Promise((resolve) => {
      this.#server.listen(port, "127.0.0.1", () => {
        const { port } = this.#server.address() as AddressInfo;
        this.url = `http://127.0.0.1:${port}`;
        resolve();
      });
    });
  }

  #deviceOf(call: SeenCall): { deviceId: string; deviceName: string } | undefined {
    return this.devices.get(/^Bearer (.+)$/.exec(call.headers.authorization ?? "")?.[1] ?? "");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = seen(request, await textOf(request));
    this.calls.push(call);
    const reply = this.intercept(call) ?? this.#answer(call);
    if (reply === "hang") return;
    if (reply === "cut") {
      request.socket.destroy();
      return;
    }
    response.once("close", () => {
      if (!response.writableFinished) this.hungUp.push(call.path);
    });
    const isRaw = typeof reply.body === "string" || Buffer.isBuffer(reply.body);
    response.writeHead(reply.status, {
      "content-type": isRaw ? "application/octet-stream" : "application/json",
      ...(this.endsEachConnection && { connection: "close" }),
      ...(reply.isForeign !== true && { [RELAY_MARK.name]: RELAY_MARK.value }),
      ...reply.headers,
    });
    response.end(isRaw ? reply.body : JSON.stringify(reply.body ?? {}));
  }

  #answer(call: SeenCall): Reply {
    const { method, path } = call;
    if (path === "/importer/hello") {
      const now = new Date().toISOString();
      const body = {
        service: "soundferry",
        version: "9.9.9",
        importer_api: this.importerApi,
        now,
        instance: this.instance,
      };
      return { status: 200, body };
    }
    if (path === "/importer/register") return this.#register(String(call.body["device_name"]));
    const device = this.#deviceOf(call);
    if (device === undefined) return refuse("IMPORTER_UNKNOWN");
    if (path === "/importer/pairing-code" && method === "DELETE") return { status: 200, body: {} };
    if (path === "/importer/pairing-code") {
      return { status: 201, body: { code: "K7MQ2X", ...expiry(600) } };
    }
    if (path === "/importer/me" && method === "PATCH") {
      device.deviceName = String(call.body["device_name"]);
      return { status: 200, body: { device_name: device.deviceName } };
    }
    if (path === "/importer/apps") return { status: 200, body: { apps: this.apps } };
    if (path === "/importer/packages") return this.#list(call);
    const pairingId = /^\/importer\/apps\/([^/]+)$/.exec(path)?.[1];
    if (pairingId !== undefined) return this.#unpair(decodeURIComponent(pairingId));
    return this.#answerAboutPackage(call);
  }

  #answerAboutPackage(call: SeenCall): Reply {
    const { path } = call;
    const file = this.files.get(path);
    if (file !== undefined) return download(file, call.headers.range);
    const [, id, verb] = /^\/importer\/packages\/([^/]+)(?:\/(take|results))?$/.exec(path) ?? [];
    const held = this.packages.find(({ package_id }) => package_id === id);
    const results = call.body["results"] as SoundResults;
    if (held === undefined) {
      if (verb !== "results" || !this.expired.has(id ?? "")) return refuse("PACKAGE_UNKNOWN");
      this.reports.set(id ?? "", results);
      return { status: 200, body: { status: "imported" } };
    }
    if (verb === undefined) return { status: 200, body: held };
    if (verb === "take") return { status: 200, body: expiry(300) };
    this.reports.set(held.package_id, results);
    const status = statusOfResults(
      held.manifest.items.map((sound) => sound.id),
      results,
    );
    const version = (held.version ?? 1) + 1;
    const reported = { ...held, status, results, ...(this.#pages && { version }) };
    this.packages.splice(this.packages.indexOf(held), 1, reported);
    return { status: 200, body: { status } };
  }

  get #pages(): boolean {
    return this.importerApi.includes(2);
  }

  #list({ query, headers }: SeenCall): Reply {
    if (!this.#pages) {
      const isNewer = String(headers["x-soundferry-importer"]).endsWith("api=2");
      return isNewer
        ? refuse("IMPORTER_TOO_OLD")
        : { status: 200, body: { packages: this.packages } };
    }
    const first = Number(query.get("after") ?? 0);
    const end = first + this.pageSize;
    const page = this.packages.slice(first, end);
    const packages = page.map(({ results: _results, ...one }) =>
      Object.assign({ version: 1 }, one),
    );
    const next = end < this.packages.length ? String(end) : null;
    return { status: 200, body: { packages, next } };
  }

  #register(deviceName: string): Reply {
    this.#registrations += 1;
    const deviceId = `dev_${this.name}${this.#registrations}`;
    const importerToken = `sfi_token-${this.name}${this.#registrations}`;
    this.devices.set(importerToken, { deviceId, deviceName });
    return { status: 201, body: { device_id: deviceId, importer_token: importerToken } };
  }

  #unpair(pairingId: string): Reply {
    const index = this.apps.findIndex((app) => app.pairing_id === pairingId);
    if (index < 0) return refuse("PAIRING_UNKNOWN");
    this.apps.splice(index, 1);
    return { status: 200, body: {} };
  }
}

function refuse(
  code: "IMPORTER_TOO_OLD" | "IMPORTER_UNKNOWN" | "PACKAGE_UNKNOWN" | "PAIRING_UNKNOWN",
): Reply {
  const { status, sentence } = REFUSALS[code];
  return { status, body: { error: sentence, code } };
}

function expiry(seconds: number): { expires_at: string; expires_in: number } {
  return { expires_at: "2026-11-21T12:00:00.000Z", expires_in: seconds };
}

function download(file: Buffer, range: string | undefined): Reply {
  const start = Number(/^bytes=(\d+)-$/.exec(range ?? "")?.[1] ?? 0);
  if (start === 0) return { status: 200, body: file };
  const headers = { "content-range": `bytes ${start}-${file.length - 1}/${file.length}` };
  return { status: 206, headers, body: file.subarray(start) };
}

function seen(request: IncomingMessage, text: string): SeenCall {
  const { method = "", url = "", headers } = request;
  const [path = "", query = ""] = url.split("?");
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers,
    body: text === "" ? {} : JSON.parse(text),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request.setEncoding("utf8")) text += String(piece);
  return text;
}
