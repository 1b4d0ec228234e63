import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_HEADER_BYTES } from "../../../../core/limits.ts";
import { FOLLOWS_HEADER, FOLLOWS_REDIRECT } from "../../../../core/protocol/importer-api.ts";
import { StoreBusyError, StoreFullError } from "../../../../relay/domain/ports.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { produceAppCases } from "./app-cases.ts";
import { produceImporterCases } from "./importer-cases.ts";
import type { ContractWatch, WireAnswer } from "./contract-watch.ts";
import { fitting, produceAll } from "./produce.ts";
import { produceTurnedAway } from "./turned-away.ts";
import { World } from "./world.ts";
import { formOf } from "../../../wrapped-bytes.ts";

const PAIRING_WRITES = [
  "insertDevice",
  "changeDevice",
  "removeDevice",
  "setCode",
  "claimCode",
  "answerRequest",
  "unpair",
  "noteSeen",
] as const;
/** The first method that each call needs from the stores. */
const NEEDED_FIRST = ["findApp", "findDevice", "claimCode", "insertDevice"] as const;

let world: World;
let watch: ContractWatch;
beforeAll(async () => {
  world = await World.start();
  ({ watch } = world);
});
afterAll(() => world[Symbol.asyncDispose]());

const all = (what: string, produce: (id: string) => Promise<unknown>) =>
  produceAll(watch, what, produce);

describe("every status and code of every operation is produced and matches the contract", () => {
  test("[O2] requests that can't be parsed, for every operation", async () => {
    await all("REQUEST_MALFORMED", (id) => world.rawCall(id, "Content-Length: x"));
    await all("REQUEST_MALFORMED", (id) => world.rawCall(id, "Connection: close", ""));
    await all("HEADERS_TOO_LARGE", (id) => world.rawCall(id, `X: ${"y".repeat(MAX_HEADER_BYTES)}`));
  });

  test("[E1] an unknown expectation or upgrade is ignored", async () => {
    const requests = ["Expect: nonsense", "Connection: close, Upgrade\r\nUpgrade: h2c"];
    for (const request of requests) {
      const answer = await world.rawCall("isServing", `Connection: close\r\n${request}`);
      expect([answer.status, answer.text], request).toEqual([200, '{"status":"ok"}']);
    }
  });

  test("[O2] paths that do not exist", async () => {
    const long = "x".repeat(3000);
    const parts = { id: long, file: long, pairing_id: long };
    await all("PATH_UNKNOWN", (id) => world.call(id, { parts }, false));
  });

  test("[O2] missing tokens and old versions", async () => {
    await all("TOKEN_MISSING", (id) => world.call(id, { token: null }));
    await all("401", (id) => world.call(id, { token: "sfa_unknown" }));
    await all("426", (id) =>
      world.call(id, { headers: { "x-soundferry-importer": "0.0.1; api=0" } }),
    );
  });

  test("[O2] bodies that are not JSON, too large, or never end", async () => {
    await all("NOT_JSON", (id) => world.call(id, { body: "{" }));
    await all("JSON_IN_FORM", (id) => world.call(id, { body: formOf(Buffer.from("{}")) }));
    await all("JSON_ENCODED", (id) => world.call(id, { body: gzipSync("{}") }));
    await all("JSON_TOO_COMPLEX", (id) => world.call(id, { body: "[".repeat(100) }));
    await all("BODY_TOO_LARGE", (id) => world.call(id, { body: "x".repeat(1_100_000) }));
    await using slow = await World.start({ SOUNDFERRY_UPLOAD_IDLE_S: "1" }, watch);
    const never = () =>
      new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(Buffer.from("{")) });
    await Promise.all([
      all("REQUEST_TOO_SLOW", (operation) => slow.call(operation, { body: never() })),
      ...["uploadFile", "appendToFile"].map(async (operation) => {
        const parts = { id: await slow.announced(), file: "kick.wav" };
        return slow.call(operation, { ...fitting(operation), parts, body: never() });
      }),
    ]);
  });

  test("[O2] the rate limit", async () => {
    await using strict = await World.start({ SOUNDFERRY_CALLS_PER_MINUTE: "3" }, watch);
    for (const operation of ["readPairing", "listApps"]) {
      while ((await strict.call(operation)).status === 200);
    }
    await all("CALLS_TOO_MANY", (id) => strict.call(id, fitting(id)));
    await strict.call("readUploadOffset", fitting("readUploadOffset"));
  });

  test("[O2] what a host name, an operator or a crowd refuses", async () =>
    produceTurnedAway(world));

  test("[O2] stores that fail", async () => {
    await using broken = await World.start({}, watch);
    const { packages, pairings } = broken.relay.relay.context;
    const fail = () => Promise.reject(new Error("gone"));
    for (const name of NEEDED_FIRST) pairings[name] = fail;
    packages.find = fail;
    broken.relay.clock.pass(10);
    await all("INTERNAL", (id) => broken.call(id, fitting(id)));
    await broken.call("readUploadOffset", fitting("readUploadOffset"));
  });

  test("[O2] a database that is locked", async () => {
    await using locked = await World.start({}, watch);
    const { packages, pairings } = locked.relay.relay.context;
    const fail = () => Promise.reject(new StoreBusyError("locked"));
    for (const name of NEEDED_FIRST) pairings[name] = fail;
    packages.find = fail;
    locked.relay.clock.pass(10);
    await all("NOT_READY", (id) => locked.call(id, fitting(id)));
    await locked.call("readUploadOffset", fitting("readUploadOffset"));
  });

  test("[O2] a relay that is being replaced", async () => {
    await using stopping = await World.start({ SOUNDFERRY_STOP_DELAY_S: "60" }, watch);
    const now = new AbortController();
    const drained = stopping.relay.relay.drain(now.signal);
    await all("STOPPING", (id) => stopping.call(id, fitting(id)));
    now.abort();
    await drained;
  });

  test("[O2] a sound store that importers may be sent to", async () => {
    await using sending = await World.start({}, watch);
    const parts = { id: await sending.sent(), file: "kick.wav" };
    const addressOf = async () => "https://bucket.example/kick.wav";
    Object.assign(sending.relay.relay.context.sounds, { addressOf });
    const headers = { [FOLLOWS_HEADER]: FOLLOWS_REDIRECT };
    const { status } = await sending.call("downloadFile", { parts, headers });
    expect(status).toBe(307);
  });

  test("[O2] a disk that is full", async () => {
    await using full = await World.start({}, watch);
    const waiting = await full.sent();
    const uploading = await full.announced();
    const empty = await full.announced();
    const file = "kick.wav";
    await full.call("uploadFile", { parts: { id: uploading, file }, body: smallWav() });
    const apps = await full.relay.call("GET", "/importer/apps", { token: full.importer.token });
    const { packages, pairings } = full.relay.relay.context;
    const refuse = () => Promise.reject(new StoreFullError("full"));
    for (const name of ["insert", "addFile", "update", "remove"] as const) packages[name] = refuse;
    for (const name of PAIRING_WRITES) pairings[name] = refuse;
    await all("DISK_FULL", (id) => {
      const isOfApp = full.tokenFor(id) === full.token;
      const { pairing_id } = apps.json.apps[0];
      const ofApp = id === "appendToFile" ? empty : uploading;
      const parts = { id: isOfApp ? ofApp : waiting, file, pairing_id };
      return full.call(id, { ...fitting(id), parts });
    });
  });

  test("[O2] all answers to an app's calls", async () => produceAppCases(world));
  test("[O2] all answers to an importer's calls", async () => produceImporterCases(world));

  test("[O2] the contract promises nothing that was not produced", () => {
    expect(watch.documented().length).toBeGreaterThan(200);
    expect(watch.documented().filter((one) => !watch.produced.has(one))).toEqual([]);
  });
});

test("[O2] a status, code, member or header that the contract lacks is noticed", async () => {
  const { status, headers, text } = await world.call("readPairing", { token: null });
  const judge = (answer: Partial<WireAnswer>) => () =>
    watch.judge("readPairing", { status, headers, text, ...answer });
  const { error, code } = JSON.parse(text);
  judge({})();
  expect(judge({ status: 418 })).toThrow("does not promise");
  expect(judge({ text: JSON.stringify({ error, code, more: 1 }) })).toThrow("readPairing 401");
  expect(judge({ text: JSON.stringify({ error, code: "CODE_UNKNOWN" }) })).toThrow(
    "readPairing 401",
  );
  expect(judge({ text: JSON.stringify({ code }) })).toThrow("readPairing 401");
  for (const name of ["x-request-id", "www-authenticate", "access-control-allow-origin"]) {
    const fewer = new Map([...headers].filter(([one]) => one !== name));
    expect(judge({ headers: fewer })).toThrow("readPairing 401");
  }
});
