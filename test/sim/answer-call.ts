import { buffer } from "node:stream/consumers";
import { Refusal } from "../../core/protocol/refusal.ts";
import { announcePackage } from "../../relay/domain/packages/announce.ts";
import { callingApp } from "../../relay/domain/caller.ts";
import { commitPackage } from "../../relay/domain/packages/commit-package.ts";
import type { Context } from "../../relay/domain/context.ts";
import { registerDevice, removeDevice } from "../../relay/domain/pairing/devices.ts";
import { findDownload } from "../../relay/domain/packages/find-download.ts";
import type { KnownApp } from "../../relay/domain/pairing/known-tokens.ts";
import { claimPairing, issuePairingCode } from "../../relay/domain/pairing/pair.ts";
import { findImportable } from "../../relay/domain/packages/list-importable.ts";
import { readStatus } from "../../relay/domain/packages/read-status.ts";
import { receiveSound } from "../../relay/domain/uploads/receive-sound.ts";
import { reportResults, takePackage } from "../../relay/domain/packages/import-package.ts";
import { unpairToken } from "../../relay/domain/pairing/unpair.ts";
import { withdraw } from "../../relay/domain/packages/withdraw-package.ts";
import { listAll } from "../relay/domain/packages/list-all.ts";
import { claimCall } from "../relay/domain/use-cases.ts";
import type { Answer, CallOptions } from "./world.ts";

const ADDRESS = "192.0.2.1";

interface Call {
  readonly context: Context;
  readonly app: KnownApp;
  readonly deviceId: string;
  readonly id: string;
  readonly file: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- each use case judges its own body
  readonly body: any;
  readonly key: string | undefined;
}

type Route = readonly [call: string, status: number, handle: (call: Call) => Promise<unknown>];

/** The calls of apps and importers, by who makes them. */
const ROUTES: Readonly<Record<"open" | "app" | "importer", readonly Route[]>> = {
  open: [
    ["POST /importer/register", 201, register],
    ["POST /pair/claim", 200, claim],
  ],
  app: [
    ["GET /app/me", 200, async () => undefined],
    ["POST /app/unpair", 200, ({ context, app }) => unpairToken(context, app)],
    ["POST /packages", 201, announce],
    ["PUT /packages/:id/files/:file", 200, upload],
    ["POST /packages/:id/commit", 200, ({ context, app, id }) => commitPackage(context, app, id)],
    ["DELETE /packages/:id", 200, ({ context, app, id }) => withdraw(context, app, id)],
    [
      "GET /packages/:id/status",
      200,
      async ({ context, app, id }) => JSON.parse(await readStatus(context, app, id)),
    ],
  ],
  importer: [
    [
      "POST /importer/pairing-code",
      201,
      ({ context, deviceId }) => issuePairingCode(context, deviceId),
    ],
    ["DELETE /importer/me", 200, ({ context, deviceId }) => removeDevice(context, deviceId)],
    [
      "GET /importer/packages",
      200,
      async ({ context, deviceId }) => ({ packages: await listAll(context, deviceId) }),
    ],
    [
      "GET /importer/packages/:id",
      200,
      ({ context, deviceId, id }) => findImportable(context, deviceId, id),
    ],
    [
      "POST /importer/packages/:id/take",
      200,
      ({ context, deviceId, id, body }) => takePackage(context, deviceId, id, body),
    ],
    ["GET /importer/packages/:id/files/:file", 200, download],
    [
      "POST /importer/packages/:id/results",
      200,
      ({ context, deviceId, id, body }) => reportResults(context, { deviceId }, id, body),
    ],
  ],
};

const PATTERNS = Object.entries(ROUTES).flatMap(([auth, routes]) =>
  routes.map(([call, status, handle]) => {
    const pattern = new RegExp(`^${call.replaceAll(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
    return { auth, status, handle, pattern };
  }),
);

/** Answers a call by the use case behind it, without sockets. @throws {RangeError} if it is none of these calls */
export async function answerCall(
  context: Context,
  call: string,
  { token = "", body, headers }: CallOptions = {},
): Promise<Answer> {
  const found = PATTERNS.find(({ pattern }) => pattern.test(call));
  if (found === undefined) throw new RangeError(`Nothing answers ${call}.`);
  const { auth, status, handle, pattern } = found;
  const { id = "", file = "" } = pattern.exec(call)?.groups ?? {};
  try {
    const { known } = context;
    const caller = {
      ...(auth === "app" && { app: await known.app(token) }),
      ...(auth === "importer" && (await known.device(token))),
    };
    const key = headers?.["idempotency-key"];
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its route decides who the caller is
    const result = await handle({ context, id, file, body, key, ...caller } as Call);
    return answerOf(status, result);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, extras } = error;
    return answerOf(error.status, { code, error: message, ...extras.body });
  }
}

function answerOf(status: number, result: unknown): Answer {
  const body = Buffer.isBuffer(result) ? result : Buffer.alloc(0);
  return { status, body, json: result, retryAfter: undefined };
}

async function register({ context, body }: Call) {
  const request = { read: async () => body, key: undefined, address: ADDRESS };
  return { importer_token: (await registerDevice(context, request)).importerToken };
}

async function claim({ context, body }: Call) {
  const { appToken } = await claimPairing(
    context,
    claimCall(async () => body, ADDRESS),
  );
  return { app_token: appToken };
}

async function announce({ context, app, body, key }: Call) {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const request = { body: bytes, parse: () => body, idempotencyKey: key, address: ADDRESS };
  return JSON.parse((await announcePackage(context, app, request)).json);
}

/** In two pieces: a header is judged before the rest. */
function upload({ context, app, id: packageId, file, body: bytes }: Call) {
  const body = async function* () {
    for (const at of [0, 60]) yield Uint8Array.from(bytes.subarray(at, at === 0 ? 60 : undefined));
  };
  const caller = callingApp(app, ADDRESS);
  const { byteLength: contentLength } = bytes;
  return receiveSound(context, { app, caller, packageId, file, contentLength, body });
}

async function download({ context, deviceId, id, file }: Call) {
  const { sizeBytes, read } = await findDownload(context, deviceId, id, file);
  return buffer(await read({ start: 0, end: sizeBytes - 1 }));
}
