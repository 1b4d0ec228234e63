import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";

const REDOCLY = join(import.meta.dirname, "../../../node_modules/@redocly/cli/bin/cli.js");

/** Lint results that we accept, each with its reason. */
const ACCEPTED = [
  // A WebSocket's success is 101.
  "operation-2xx-response #/paths/~1importer~1socket/get/responses",
];

/** Everything that redocly's recommended rules report about a document. */
async function lint(document: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-contract-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "openapi.json");
  await writeFile(file, document);
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const report = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [REDOCLY, "lint", file, "--format", "json", "--extends", "recommended"],
      { cwd: folder, env: { ...process.env, ...quiet } },
      (_error, stdout) => resolve(stdout),
    );
  });
  const { problems } = JSON.parse(report);
  return problems.map(
    (problem: { ruleId: string; location: { pointer: string }[] }) =>
      `${problem.ruleId} ${problem.location[0]?.pointer}`,
  );
}

test("[O1] the contract passes the lint, with listed exceptions", async () => {
  await using relay = await RunningRelay.start();
  const { text, json } = await relay.call("GET", "/openapi.json");
  expect(await lint(text)).toEqual(ACCEPTED);
  const { summary: _, ...worse } = json.paths["/app/me"].get;
  json.paths["/app/me"].get = worse;
  expect(await lint(JSON.stringify(json))).not.toEqual(ACCEPTED);
});
