import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Duplex, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { isJsonObject } from "../../../core/text/json-object.ts";
import { parseJson } from "../../../core/text/parse-json.ts";
import { letPass } from "../../sim/real-time.ts";

const HELLO = {
  service: "soundferry",
  version: "0.1.0",
  importer_api: [1],
  now: "2026-11-21T12:00:00.000Z",
};

const DRIP_MS = 10;

/** A call, and what a relay that does as it should might say. */
export interface HostileCall {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
  readonly status: number;
  readonly json: object;
}

/** Answers a call, or not. */
export type AnswerBadly = (
  response: ServerResponse,
  call: HostileCall,
  relay: HostileRelay,
) => void;
/** Gets the connection that asks for a notification socket. */
export type UpgradeBadly = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;

export interface HostileOptions {
  readonly answer?: (call: HostileCall) => AnswerBadly;
  readonly upgrade?: () => UpgradeBadly;
  /** False if hello is answered like everything else, too. */
  readonly greets?: boolean;
}

/** A server that greets like a relay and then answers as it likes. */
export class HostileRelay implements AsyncDisposable {
  /** The number of calls and upgrades that came. */
  calls = 0;
  /** Every token and code that it gave or was sent. */
  readonly secrets = new Set<string>();
  readonly #server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 });
  readonly #connections = new Set<Duplex>();
  #made = 0;

  private constructor({ answer, upgrade, greets = true }: HostileOptions) {
    this.#server.on("connection", (socket) => {
      this.#connections.add(socket.setMaxListeners(0));
      socket.on("error", () => socket.destroy());
      socket.on("close", () => this.#connections.delete(socket));
    });
    this.#server.on("upgrade", (incoming, socket, head) => {
      this.calls += 1;
      if (upgrade === undefined) socket.destroy();
      else upgrade()(incoming, socket, head);
    });
    this.#server.on("clientError", (_, socket) => socket.destroy());
    this.#server.on("request", (incoming, response) => {
      this.calls += 1;
      void this.#read(incoming).then(
        (call) => {
          const isGood = answer === undefined || (greets && call.path === "/importer/hello");
          (isGood ? answerWell : answer(call))(response, call, this);
        },
        // The kit hung up.
        () => response.destroy(),
      );
    });
  }

  static async start(options: HostileOptions): Promise<HostileRelay> {
    const relay = new HostileRelay(options);
    await once(relay.#server.listen(0, "127.0.0.1"), "listening");
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The connections that are open. */
  get openCount(): number {
    return this.#connections.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #read(incoming: IncomingMessage): Promise<HostileCall> {
    const { method = "", url = "", headers } = incoming;
    const path = url.split("?")[0] ?? "";
    const authorization = headers.authorization ?? "";
    const body = await text(incoming);
    return { method, path, authorization, body, ...this.#good(`${method} ${path}`, body) };
  }

  #good(asked: string, body: string): Pick<HostileCall, "status" | "json"> {
    this.#made += 1;
    const made = String(this.#made).padStart(4, "0");
    switch (asked) {
      case "GET /importer/hello":
        return { status: 200, json: HELLO };
      case "POST /importer/register":
        return { status: 201, json: { importer_token: `sfi_${"i".repeat(40)}${made}` } };
      case "POST /importer/pairing-code":
        return { status: 201, json: { code: `K7${made}`, expires_in: 600 } };
      case "POST /pair/claim":
        return { status: 201, json: { app_token: `sfa_${"a".repeat(40)}${made}` } };
      case "POST /packages":
        return { status: 201, json: announcedAs(`pkg_${made}`, body) };
      default:
        return { status: 200, json: { packages: [], next: null, status: "uploading" } };
    }
  }
}

/** Returns whether a check needs the call's answer for anything else. */
export function isOfSetup({ method, path }: Pick<HostileCall, "method" | "path">): boolean {
  const made = /^\/(importer\/register|importer\/pairing-code|pair\/claim|packages)$/;
  return method === "POST" && made.test(path);
}

/** Answers like a relay. */
export const answerWell: AnswerBadly = (response, { status, json }, { secrets }) => {
  keepSecrets(json, secrets);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
};

/** Remembers the tokens and codes of an answer. */
export function keepSecrets(json: object, secrets: Set<string>): void {
  for (const [name, value] of Object.entries(json)) {
    if (/token$|^code$/.test(name) && typeof value === "string") secrets.add(value);
  }
}

/** Writes a little again and again, until the connection is closed. */
export function drip(to: Writable, write: () => unknown): void {
  if (to.destroyed) return;
  write();
  void letPass(DRIP_MS).then(() => drip(to, write));
}

function announcedAs(id: string, body: string): object {
  const manifest = parseJson(body);
  const items = isJsonObject(manifest) && Array.isArray(manifest["items"]) ? manifest["items"] : [];
  const upload = items.flatMap((item: unknown) => {
    const file = isJsonObject(item) ? item["file"] : undefined;
    return typeof file === "string" ? [[file, `/packages/${id}/files/x`]] : [];
  });
  return { package_id: id, upload: Object.fromEntries(upload), warnings: [] };
}
