import { createHash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { isObject, judgeManifest, SPEC_LAWS, type SpecLaws } from "./spec-relay/judge.ts";
import { WavGate } from "./spec-relay/wav.ts";
import {
  decoded,
  listen,
  preflight,
  readJson,
  Refused,
  SlidingWindow,
  type SpecCall,
  type SpecHandler,
  type SpecReply,
} from "./spec-relay/wire.ts";

interface App {
  readonly appId: string;
  readonly device: string;
  readonly name: string;
  readonly pairedAt: number;
  readonly calls: SlidingWindow;
}
interface Package {
  readonly appId: string;
  readonly device: string;
  readonly files: ReadonlyMap<string, { bytes: number; sha256: string }>;
  readonly uploaded: Set<string>;
  readonly announcedAt: number;
  committedAt?: number;
}
interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly run: (
    call: SpecCall,
    app: App,
    token: string,
    parts: string[],
  ) => Promise<Answer> | Answer;
}
type Answer = readonly [status: number, body?: unknown];

const HOUR_MS = 3_600_000;
const CODE_SIGNS = "abcdefghijkmnopqrstuvwxyz";

/** A relay that knows only the public specification, in memory; what that leaves open it decides in its own way. */
class SpecRelay {
  readonly #codes = new Map<string, { device: string; until: number }>();
  readonly #apps = new Map<string, App>();
  readonly #packages = new Map<string, Package>();
  readonly #announced = new Map<string, SlidingWindow>();
  readonly #tries: SlidingWindow;
  readonly #laws: SpecLaws;

  #aheadMs = 0;

  constructor(laws: SpecLaws) {
    this.#laws = laws;
    this.#tries = new SlidingWindow(laws.triesPerMinute, 60_000);
  }

  /** Lets time pass. */
  pass(seconds: number): void {
    this.#aheadMs += seconds * 1000;
  }

  #now(): number {
    return Date.now() + this.#aheadMs;
  }

  codeFor(device: string): string {
    const code = Array.from({ length: 6 }, () => CODE_SIGNS[randomInt(CODE_SIGNS.length)]).join("");
    this.#codes.set(code, { device, until: this.#now() + HOUR_MS / 4 });
    return code;
  }

  readonly handle: SpecHandler = async (call) => {
    const { status, headers, body } = await this.#judge(call);
    const origin = call.headers.origin ?? "*";
    const cors = {
      "access-control-allow-origin": origin,
      "access-control-expose-headers": "Retry-After",
    };
    return { status, headers: { ...cors, vary: "Origin", ...headers }, body };
  };

  async #judge(call: SpecCall): Promise<SpecReply> {
    try {
      if (call.method === "OPTIONS") return preflight(call);
      if (call.path.startsWith("/importer/"))
        return { status: 404, headers: {}, body: "<!doctype html><title>No such page</title>" };
      const [status, body] = await this.#answer(call);
      return { status, headers: {}, body };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return { status: error.status, headers: error.headers, body: { error: error.message } };
    }
  }

  async #answer(call: SpecCall): Promise<Answer> {
    if (call.method === "POST" && call.path === "/pair/claim") return await this.#claim(call);
    for (const { method, pattern, run } of this.#routes) {
      const parts = pattern.exec(call.path)?.slice(1).map(decoded);
      if (method !== call.method || !parts) continue;
      const token = /^bearer (.+)$/i.exec(call.headers.authorization ?? "")?.[1] ?? "";
      const app = this.#apps.get(token);
      if (!app) throw new Refused(401, "This app is not paired. Ask for a new pairing code.");
      app.calls.spend(this.#now(), "calls");
      return await run(call, app, token, parts);
    }
    throw new Refused(404, "There is nothing at this address.");
  }

  async #claim(call: SpecCall): Promise<Answer> {
    const now = this.#now();
    this.#tries.spend(now, "pairing tries");
    const body = await readJson(call);
    const { code, app_name: name, app_id: appId } = isObject(body) ? body : {};
    if (typeof code !== "string" || typeof name !== "string" || typeof appId !== "string")
      throw new Refused(400, "A pairing has a code, an app_name and an app_id.");
    const plain = code.replace(/^(.{3}) (.{3})$/, "$1$2");
    const found = this.#codes.get(plain);
    if (!found || found.until <= now)
      throw new Refused(404, "This pairing code is wrong, used or expired.");
    this.#codes.delete(plain);
    const token = randomBytes(25).toString("base64");
    const { device } = found;
    const calls = new SlidingWindow(this.#laws.callsPerMinute, 60_000);
    this.#apps.set(token, { appId, device, name, pairedAt: Math.floor(now / 1000), calls });
    return [200, { app_token: token, device_name: device }];
  }

  async #announce(call: SpecCall, app: App): Promise<Answer> {
    const { files, warnings } = judgeManifest(await readJson(call), this.#laws);
    const owner = `${app.appId} at ${app.device}`;
    const hourly =
      this.#announced.get(owner) ?? new SlidingWindow(this.#laws.packagesPerHour, HOUR_MS);
    this.#announced.set(owner, hourly);
    const announcedAt = this.#now();
    hourly.spend(announcedAt, "packages");
    const id = randomUUID();
    const { appId, device } = app;
    this.#packages.set(id, { appId, device, files, uploaded: new Set(), announcedAt });
    const upload = Object.fromEntries(
      [...files.keys()].map((file) => [file, `/packages/${id}/files/${encodeURIComponent(file)}`]),
    );
    return [201, { package_id: id, upload, warnings }];
  }

  #find(app: App, id = ""): Package {
    const found = this.#packages.get(id);
    if (found?.appId === app.appId && found.device === app.device) return found;
    throw new Refused(410, "There is no such package, or no longer.");
  }

  async #upload(call: SpecCall, app: App, [id, file = ""]: string[]): Promise<Answer> {
    const found = this.#find(app, id);
    const announced = found.files.get(file);
    if (!announced) throw new Refused(404, "The manifest has no such file.");
    if (stateOf(found, this.#now()) !== "uploading")
      throw new Refused(403, "This package takes no more files.");
    const hash = createHash("sha256");
    const gate = new WavGate();
    let bytes = 0;
    for await (const part of call.body) {
      bytes += part.length;
      if (bytes > announced.bytes) continue;
      hash.update(part);
      gate.write(part);
    }
    const must = (rule: string, isGood: boolean, text = "") => {
      if (!isGood && !this.#laws.forgotten.has(rule))
        throw new Refused(400, `${file.slice(0, 40)}: ${text}`);
    };
    must("upload size", bytes === announced.bytes, "not the announced size.");
    const isSame = hash.digest("hex") === announced.sha256.toLowerCase();
    must("upload checksum", isSame || bytes !== announced.bytes, "not the announced checksum.");
    must("upload header", !gate.problem(), gate.problem());
    found.uploaded.add(file);
    return [200];
  }

  #commit(app: App, id?: string): Answer {
    const found = this.#find(app, id);
    if (stateOf(found, this.#now()) === "expired")
      throw new Refused(410, "The hour for this package is over.");
    const missing = [...found.files.keys()].filter((file) => !found.uploaded.has(file));
    if (missing.length > 0 && !this.#laws.forgotten.has("commit missing"))
      throw new Refused(409, `Not here yet: ${listed(missing, 62)}`);
    found.committedAt ??= this.#now();
    return [200, { ok: true }];
  }

  readonly #routes: readonly Route[] = [
    {
      method: "GET",
      pattern: /^\/app\/me$/,
      run: (_, { device, name, pairedAt }) => [
        200,
        { device_name: device, app_name: name, paired_at: pairedAt },
      ],
    },
    {
      method: "POST",
      pattern: /^\/app\/unpair$/,
      run: (_, __, token) => {
        this.#apps.delete(token);
        return [204];
      },
    },
    { method: "POST", pattern: /^\/packages$/, run: (call, app) => this.#announce(call, app) },
    {
      method: "PUT",
      pattern: /^\/packages\/([^/]+)\/files\/([^/]+)$/,
      run: (call, app, _, parts) => this.#upload(call, app, parts),
    },
    {
      method: "POST",
      pattern: /^\/packages\/([^/]+)\/commit$/,
      run: (_, app, __, [id]) => this.#commit(app, id),
    },
    {
      method: "GET",
      pattern: /^\/packages\/([^/]+)\/status$/,
      run: (_, app, __, [id]) => [200, { status: stateOf(this.#find(app, id), this.#now()) }],
    },
    {
      method: "DELETE",
      pattern: /^\/packages\/([^/]+)$/,
      run: (_, app, __, [id = ""]) => {
        this.#find(app, id);
        this.#packages.delete(id);
        return [204];
      },
    },
  ];
}

function stateOf({ announcedAt, committedAt }: Package, now: number): string {
  const until = committedAt === undefined ? announcedAt + HOUR_MS : committedAt + 24 * HOUR_MS;
  if (now >= until) return "expired";
  return committedAt === undefined ? "uploading" : "waiting";
}

/** The names that fit into so many characters, and how many more there are. */
function listed(names: readonly string[], room: number): string {
  const [first = "", ...others] = names;
  let text = first.length > room - 14 ? `${first.slice(0, room - 17)}...` : first;
  for (const [index, name] of others.entries()) {
    const left = others.length - index;
    if (text.length + name.length + 16 > room) return `${text} and ${left} more.`;
    text += `, ${name}`;
  }
  return text;
}

/** Starts a relay of the public specification below `/beats/relay` of a free port. */
export async function startSpecRelay(
  laws: Partial<SpecLaws> = {},
  around: (next: SpecHandler) => SpecHandler = (next) => next,
) {
  const relay = new SpecRelay({ ...SPEC_LAWS, ...laws });
  const base = "/beats/relay";
  const server = await listen(around(relay.handle), base);
  return {
    url: `http://127.0.0.1:${server.port}${base}`,
    codeFor: (device: string) => relay.codeFor(device),
    pass: (seconds: number) => relay.pass(seconds),
    [Symbol.asyncDispose]: server.close,
  };
}
