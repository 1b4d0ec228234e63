import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { AnnounceAnswer } from "../../../../core/protocol/public-api.ts";
import { listsSounds } from "../../../../relay/domain/ports.ts";
import { describe, manifestOf, RunningRelay } from "../../running-relay.ts";
import { smallWav } from "../../../wav-bytes.ts";
import { until } from "../../../sim/until.ts";
import { fillUp } from "./small-disk.ts";

// Runs a relay on a disk of a few MiB (the first argument), fills that disk while it runs or before it starts
// (the second), and prints as one JSON value what still worked, and what worked once there was room again.

const [, , folder = "", when] = process.argv;
const filler = join(folder, "filler");
const settings = {
  SOUNDFERRY_DATA: join(folder, "data"),
  SOUNDFERRY_BALLAST_BYTES: String(1024 ** 2),
  SOUNDFERRY_LOG_LEVEL: "info",
  SOUNDFERRY_PACKAGES_PER_HOUR: "1000",
};
let relay = await RunningRelay.start(settings);
const { importer, token } = await relay.paired();
const withdrawn = await relay.send(token);
const imported = await relay.send(token);
const large = smallWav({ frames: 1_200_000 });
const expiring = await sendLarge();
const unfinished = await relay.announce(token, manifestOf(["late.wav"]));
if (when === "before start") await relay.stop();
await fillUp(filler);
if (when === "before start") relay = await RunningRelay.start(settings);

const importing = (path: string) => `/importer/packages/${imported}/${path}`;
const full = {
  withdraw: await brief("DELETE", `/packages/${withdrawn}`, token),
  take: await brief("POST", importing("take"), importer.token, { run_id: "r" }),
  download: (await relay.call("GET", importing("files/kick.wav"), { token: importer.token }))
    .status,
  report: await brief("POST", importing("results"), importer.token, {
    results: { "1": { status: "imported" } },
  }),
  announce: await brief("POST", "/packages", token, manifestOf(["kick.wav"])),
  upload: await brief("PUT", unfinished.upload["late.wav"] ?? "", token, smallWav()),
  ready: await brief("GET", "/readyz"),
};
let usedUp: unknown;
if (when === "with its ballast used up") {
  await fillUp(`${filler}-2`);
  // The database's files may have some room of their own.
  const rename = () => brief("PATCH", "/importer/me", importer.token, { device_name: "x" });
  while ((await rename()).status === 200);
  usedUp = await readyWith(503);
}
// Its wait ends, and the others' status stays.
relay.clock.pass(86_400);
await relay.sweep();
const expired = {
  status: (await relay.status(token, expiring)).status,
  keys: await storedKeys(),
  ready: await readyWith(200),
};
await rm(filler);
await relay.sweep();
const after = {
  ready: await readyWith(200),
  sends: await countSends(50),
};
await relay.stop();
process.stdout.write(JSON.stringify({ full, usedUp, expired, after }));

/** What a test compares of an answer. */
async function brief(method: string, path: string, as?: string, body?: object) {
  const { status, json, headers } = await relay.call(method, path, {
    ...(as !== undefined && { token: as }),
    ...(body !== undefined && { body }),
  });
  const retryAfter = headers.get("retry-after");
  const { code, reason, degraded, notices } = json;
  return { status, code, retryAfter, reason, degraded, notices };
}

/** Looks at the relay's readiness until its status is this: an answer may be a second old. */
async function readyWith(status: number) {
  let ready: Awaited<ReturnType<typeof brief>> | undefined;
  await until(async () => {
    ready = await brief("GET", "/readyz");
    return ready.status === status;
  });
  return ready;
}

async function sendLarge(): Promise<string> {
  const items = [describe("large.wav", large)];
  const announced: AnnounceAnswer = await relay.announce(token, { schema: "app2host/1", items });
  await relay.call("PUT", announced.upload["large.wav"] ?? "", { token, body: large });
  await relay.call("POST", `/packages/${announced.package_id}/commit`, { token });
  return announced.package_id;
}

async function countSends(count: number): Promise<number> {
  let sent = 0;
  while (sent < count) {
    const { status } = await relay.status(token, await relay.send(token));
    if (status !== "waiting") break;
    sent += 1;
  }
  return sent;
}

async function storedKeys(): Promise<number> {
  const { sounds } = relay.relay.context;
  if (!listsSounds(sounds)) throw new Error("A disk lists its sounds.");
  let count = 0;
  for await (const _key of sounds.keys()) count += 1;
  return count;
}
