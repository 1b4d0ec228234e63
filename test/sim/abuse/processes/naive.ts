import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { answerCalls } from "../../../bench/processes/answer-calls.ts";
import { urlOf } from "../../../bench/processes/url-of.ts";
import type { ServerCalls } from "../attacked-relay.ts";

// A server that keeps none of the promises, to prove that each attack can fail. It knows no more of the API than the
// attacks need.

const UPLOADS_PER_DEVICE = 4;
const CLAIMS_PER_ADDRESS = 10;
/** Bigger ones are refused. */
const BIG_UPLOAD_BYTES = 2_000_000;
/** 5,000 of them, all held, are more than A11 allows and less than a process can hold. */
const BIG_ANSWER = "a".repeat(300_000);
const ROW_BYTES = 100;
/** Cost of a token that it doesn't know. */
const HASHES = 300;
/** Cost of reading: each body is parsed so often. */
const READINGS = 6;
/** Longer request lines are logged. */
const SHORT_PATH = 1000;

interface Device {
  readonly id: string;
  readonly sockets: Duplex[];
  readonly results: unknown[];
  uploads: number;
}

const devices = new Map<string, Device>();
const codes = new Map<string, Device>();
const claims = new Map<string, number>();
let lookups = 0;
let kept = 0;
let isSilent = false;
let uploads = 0;
let received = 0;
let roomBytes = Infinity;
let uploadsMax = 256;
let registrationsMax = Infinity;
/** Packages of all apps together: it doesn't ask whose they are. */
let placesLeft = Infinity;

type Handler = (call: {
  readonly request: IncomingMessage;
  readonly body: () => Promise<Buffer>;
  readonly device: Device;
  readonly address: string;
}) => Promise<readonly [status: number, body: unknown]>;

const DONE = Promise.resolve([200, {}] as const);
const HANDLERS: readonly (readonly [RegExp, Handler])[] = [
  [
    /^POST \/importer\/register/,
    async () => {
      if (devices.size >= registrationsMax) return [429, {}];
      const id = `dev-${devices.size}`;
      devices.set(id, { id, sockets: [], results: [], uploads: 0 });
      return [201, { device_id: id, importer_token: id }];
    },
  ],
  [
    /^POST \/importer\/pairing-code/,
    async ({ device }) => {
      const code = `CODE${codes.size}`;
      codes.set(code, device);
      return [201, { code }];
    },
  ],
  [
    /^POST \/pair\/claim/,
    async ({ body, address }) => {
      const tries = (claims.get(address) ?? 0) + 1;
      claims.set(address, tries);
      if (tries > CLAIMS_PER_ADDRESS) return [429, {}];
      const { code } = JSON.parse((await body()).toString()) as { readonly code: string };
      lookups += 1;
      const device = codes.get(code);
      return device === undefined ? [404, {}] : [200, { app_token: device.id }];
    },
  ],
  [
    /^POST \/packages$/,
    async ({ body }) => {
      const value = readDearly((await body()).toString()) as {
        readonly items?: { readonly bytes?: number }[];
      };
      const [item] = value.items ?? [];
      const sizeBytes = item?.bytes ?? 0;
      if (sizeBytes > roomBytes || placesLeft === 0) return [507, {}];
      roomBytes -= sizeBytes;
      placesLeft -= 1;
      return [201, { package_id: "pkg" }];
    },
  ],
  [
    /^(PUT|PATCH) /,
    async ({ body, device }) => {
      // A row for each call.
      received += 1;
      if (device.uploads >= UPLOADS_PER_DEVICE || uploads >= uploadsMax) return [429, {}];
      device.uploads += 1;
      uploads += 1;
      kept += 1;
      const { byteLength } = await body();
      device.uploads -= 1;
      uploads -= 1;
      return [byteLength > BIG_UPLOAD_BYTES ? 422 : 200, {}];
    },
  ],
  [
    /^POST \/packages\/.*\/commit/,
    async ({ device }) => {
      for (const socket of device.sockets) socket.write("packages.changed");
      return [200, {}];
    },
  ],
  [
    /^POST .*\/results/,
    async ({ body, device }) => {
      device.results.push(JSON.parse((await body()).toString()));
      return [200, {}];
    },
  ],
  [
    /^PATCH /,
    async ({ body }) => {
      await body();
      kept += 1;
      return [204, {}];
    },
  ],
  [/^DELETE |^POST \/app\/unpair/, () => (isSilent ? new Promise(() => {}) : DONE)],
  [/^GET \/packages\/.*wait=/, () => new Promise(() => {})],
  [/^GET \/openapi/, async () => [200, { text: BIG_ANSWER }]],
  [/^GET \/importer\/packages/, async ({ device }) => [200, { packages: device.results }]],
];

/** @returns an empty object for what is no JSON */
function readDearly(text: string): unknown {
  let value: unknown = {};
  for (let reading = 0; reading < READINGS; reading += 1) {
    try {
      value = JSON.parse(text);
    } catch {
      value = {};
    }
  }
  return value;
}

async function answerAll(request: IncomingMessage, answer: ServerResponse): Promise<void> {
  const line = `${request.method} ${request.url}`;
  if (line.length > SHORT_PATH) process.stderr.write(`${line}\n`);
  const [, handle] = HANDLERS.find(([pattern]) => pattern.test(line)) ?? [];
  const device = deviceOf(request);
  const address = String(request.headers["x-forwarded-for"] ?? "127.0.0.1");
  const body = () => buffer(request);
  const [status, value] = (await handle?.({ request, body, device, address })) ?? [200, {}];
  answer.writeHead(status, { "content-type": "application/json" });
  answer.end(JSON.stringify(value));
}

function deviceOf({ headers }: IncomingMessage): Device {
  const id = (headers.authorization ?? "").replace("Bearer ", "");
  const known = devices.get(id);
  const hashes = known === undefined && id !== "" ? HASHES : 0;
  for (let at = 0; at < hashes; at += 1) createHash("sha256").update(id).digest();
  return known ?? { id, sockets: [], results: [], uploads: 0 };
}

async function serve(): Promise<string> {
  // No timeout of Node's own: what is held stays held.
  const server = createServer({ requestTimeout: 0, headersTimeout: 0 }, (request, answer) => {
    answerAll(request, answer).catch(() => answer.destroy());
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  server.on("upgrade", (request, socket: Duplex) => {
    socket.on("error", () => socket.destroy());
    deviceOf(request).sockets.push(socket);
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return urlOf(server);
}

const naiveCalls: ServerCalls = {
  start: async ({ flags, diskBytes = Infinity }) => {
    roomBytes = Number(flags["SOUNDFERRY_BYTES_PER_DEVICE"] ?? diskBytes);
    placesLeft = Number(flags["SOUNDFERRY_WAITING_PACKAGES_PER_DEVICE"] ?? Infinity);
    uploadsMax = Number(flags["SOUNDFERRY_UPLOADS"] ?? uploadsMax);
    registrationsMax = Number(flags["SOUNDFERRY_REGISTRATIONS_PER_DAY"] ?? Infinity);
    return { url: await serve(), metricsUrl: await serve() };
  },
  hashedCodes: () => lookups,
  storedRows: () => ({ received, bytes: received * ROW_BYTES }),
  left: () => kept,
  interruptSounds: (options) => void ({ isSilent } = options),
};

answerCalls(naiveCalls);
