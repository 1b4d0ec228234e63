import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { buildClientFiles } from "../../../scripts/build-client.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { RunningRelay } from "../running-relay.ts";

const home = async () => "<!doctype html><title>Relay</title>";
const COMPILER = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");

const FILES = new Map([
  ["client.js", "export const client = 1;"],
  [`client-${VERSION}.d.ts`, "export declare const client: number;"],
  [`client-${VERSION}/hash.js`, "export const hash = 2;"],
  ["element.js", "export const element = 3;"],
  ["audio.js", "export const audio = 4;"],
]);

let sharing: RunningRelay;
beforeAll(async () => {
  const pages = { home, clientFiles: async () => FILES };
  sharing = await RunningRelay.start({}, { pages });
});
afterAll(() => sharing[Symbol.asyncDispose]());

test.each([
  ["/client.js", "client.js", "no-cache"],
  [`/client-${VERSION}.js`, "client.js", "immutable"],
  [`/client-${VERSION}.d.ts`, `client-${VERSION}.d.ts`, "immutable"],
  [`/client-${VERSION}/hash.js`, `client-${VERSION}/hash.js`, "immutable"],
  ["/element.js?a=1", "element.js", "no-cache"],
  [`/element-${VERSION}.js`, "element.js", "immutable"],
  [`/audio-${VERSION}.js`, "audio.js", "immutable"],
])("[G16] %s is %s, %s", async (path, file, cached) => {
  const { status, headers, text } = await sharing.call("GET", path);
  expect([status, text]).toEqual([200, FILES.get(file)]);
  expect(headers.get("cache-control")).toContain(cached);
  expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  const again = { headers: { "if-none-match": headers.get("etag") ?? "" } };
  expect((await sharing.call("GET", path, again)).status).toBe(304);
  expect((await sharing.call("HEAD", path)).status).toBe(200);
  expect((await sharing.call("PUT", path)).json).toMatchObject({ code: "METHOD_WRONG" });
});

test.each([
  "/client-0.0.1.js",
  `/client-${VERSION}/other.js`,
  `/client-${VERSION}/hash.js/more`,
  `/element-${VERSION}.d.ts`,
])("[G16] a relay has nothing at %s", async (path) => {
  expect((await sharing.call("GET", path)).json).toMatchObject({ code: "PATH_UNKNOWN" });
});

test("[G16] a file that couldn't be built is asked for again", async () => {
  let calls = 0;
  const clientFiles = async () => {
    calls += 1;
    if (calls === 1) throw new Error("Not built.");
    return FILES;
  };
  await using relay = await RunningRelay.start({}, { pages: { home, clientFiles } });
  expect((await relay.call("GET", "/client.js")).status).toBe(500);
  expect((await relay.call("GET", "/client.js")).status).toBe(200);
});

test("[G16] the types lie beside the script, in one strict file", async () => {
  const clientFiles = () => buildClientFiles();
  await using relay = await RunningRelay.start({}, { pages: { home, clientFiles } });
  const script = await relay.call("GET", `/client-${VERSION}.js`);
  const types = new URL(
    script.headers.get("x-typescript-types") ?? "",
    `${relay.url}/client-${VERSION}.js`,
  );
  const folder = join(await temporaryFolder(), "app");
  await mkdir(folder);
  await writeFile(join(folder, "client.js"), script.text);
  await writeFile(join(folder, "client.d.ts"), await (await fetch(types)).text());
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  await writeFile(join(folder, "app.ts"), APP);
  const flags = [
    "--strict",
    "--noEmit",
    // Checking TypeScript's own files takes most of the time.
    "--skipDefaultLibCheck",
    "--target",
    "es2024",
    "--lib",
    "es2024,dom",
    "--types",
    "",
  ];
  for (const how of ["bundler", "nodenext"]) {
    const module = how === "bundler" ? "esnext" : "nodenext";
    const words = [...flags, "--module", module, "--moduleResolution", how, "app.ts"];
    await promisify(execFile)(process.execPath, [COMPILER, ...words], { cwd: folder });
  }
});

const APP = `
import { ClientError, MemoryTokenStore, SoundferryClient, type StatusAnswer } from "./client.js";
const app = { name: "Looper", id: "looper" };
const client = new SoundferryClient({ relayUrl: "http://a.example", app, tokenStore: new MemoryTokenStore() });
const { packageId } = await client.send({ title: "Take one", sounds: [] });
for await (const status of client.follow(packageId)) {
  const answer: StatusAnswer = status;
  // @ts-expect-error -- the state is a text
  const wrong: number = answer.status;
}
try {} catch (error) { if (error instanceof ClientError) error.message.length; }
`;
