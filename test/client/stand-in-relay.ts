import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { type ClientSettings, SoundferryClient } from "../../client/soundferry-client.ts";
import type { Pace } from "../../client/wire/retry.ts";
import { RELAY_MARK } from "../../core/protocol/relay-mark.ts";

export interface SeenRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An answer to a request; `"hang up"` cuts the connection instead. */
export type StandInAnswer =
  | "hang up"
  | {
      readonly status?: number;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
      /** True for an answer of somebody else, without the relay's mark. */
      readonly isForeign?: boolean;
    };

const MARK = { [RELAY_MARK.name]: RELAY_MARK.value };

/** Starts a real HTTP server that answers as the test says and records requests. */
export async function startStandIn(
  answer: (request: SeenRequest, count: number) => StandInAnswer | Promise<StandInAnswer>,
): Promise<{ url: string; seen: SeenRequest[]; [Symbol.asyncDispose](): Promise<void> }> {
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on("data", (piece: Buffer) => pieces.push(piece));
    incoming.on("end", () => {
      const request = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        body: Buffer.concat(pieces),
      };
      seen.push(request);
      void Promise.resolve(answer(request, seen.length)).then((given) => {
        if (given === "hang up") return incoming.socket.destroy();
        const { status = 200, body = {}, headers = {}, isForeign = false } = given;
        outgoing.writeHead(status, { ...(isForeign ? {} : MARK), ...headers });
        return outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server always has an address of this kind.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The room of the computer behind `acceptAll`. */
export const ROOM = { bytes_left: 10_000_000, waiting_left: 5, package_bytes_max: 10_000_000 };

/** Answers like a relay that accepts everything. */
export function acceptAll({ method, path, body }: SeenRequest): StandInAnswer {
  if (path === "/app/me") return { body: { device_name: "Studio", app_name: "L", room: ROOM } };
  if (method === "PUT") return { body: { file: path.split("/").at(-1) } };
  if (path !== "/packages") return { body: { status: "uploading", files: {} } };
  const { items }: { items: { file: string }[] } = JSON.parse(String(body));
  const upload = Object.fromEntries(
    items.map(({ file }) => [file, `/packages/pkg_1/files/${file}`]),
  );
  return { status: 201, body: { package_id: "pkg_1", upload, warnings: [] } };
}

/** Formats the calls that a stand-in has received, such as `GET /app/me`. */
export function callsOf(seen: readonly SeenRequest[]): string[] {
  return seen.map(({ method, path }) => `${method} ${path}`);
}

/** Creates a client that is paired with a relay. */
export function pairedClient(
  relayUrl: string,
  settings: Partial<ClientSettings> = {},
): SoundferryClient {
  return new SoundferryClient({
    relayUrl,
    tokenStore: new MemoryTokenStore("sfa_x"),
    ...settings,
  });
}

/** Returns a pace that never waits and records how long it would have waited. */
export function instantPace(): Pace & { readonly waits: number[] } {
  const waits: number[] = [];
  let passed = 0;
  return {
    waits,
    sleep: async (milliseconds, signal) => {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      passed += milliseconds;
    },
    random: () => 0,
    nowMs: () => passed,
  };
}
