import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const FILE = (path: string) => JSON.stringify(pathToFileURL(join(import.meta.dirname, path)).href);

/** Starts and stops a relay, and prints which packages were asked for. */
const SCRIPT = `
import { registerHooks } from "node:module";
const asked = new Set();
registerHooks({ resolve: (specifier, context, next) => (asked.add(specifier), next(specifier, context)) });
const { buildRelay } = await import(${FILE("../../relay/build-relay.ts")});
const { readRelaySettings } = await import(${FILE("../../relay/settings.ts")});
const environment = { ...process.env, SOUNDFERRY_PORT: "0", SOUNDFERRY_LOG_LEVEL: "silent" };
await using relay = await buildRelay(readRelaySettings({ environment }));
await relay.listen();
console.log(JSON.stringify([...asked]));
`;

test("[SC30] a relay on SQLite and disk loads no driver of PostgreSQL or S3", async () => {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-"));
  try {
    const script = join(folder, "start.mjs");
    await writeFile(script, SCRIPT);
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, SOUNDFERRY_DATA: join(folder, "data") };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    const asked: readonly string[] = JSON.parse(stdout);
    expect(asked).toContain("fastify");
    expect(asked.filter((name) => /^(pg|@aws-sdk)|postgres|s3/.test(name))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
