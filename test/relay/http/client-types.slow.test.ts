import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { test } from "vitest";
import { VERSION } from "../../../core/version.ts";
import { buildClientFiles } from "../../../scripts/build-client.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { RunningRelay } from "../running-relay.ts";

const home = async () => "<!doctype html><title>Relay</title>";

const COMPILER = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");

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
