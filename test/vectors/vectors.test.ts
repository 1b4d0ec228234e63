import { expect, test } from "vitest";
import { actInTypeScript } from "./act-in-typescript.ts";
import { recordVectors } from "./record-vectors.ts";
import { startReplay } from "./replay-server.ts";
import { readVectors } from "./vector.ts";

const FILE = readVectors();

/** The TypeScript client has no call for them. */
const WITHOUT_CALL: ReadonlySet<string> = new Set(["packages"]);

test("[W52] the vectors are what a relay answers now", async () => {
  expect(await recordVectors()).toEqual(FILE);
});

const TRIED = FILE.vectors.filter(({ act }) => !WITHOUT_CALL.has(act.call));

test.each(TRIED)("[W52] the TypeScript client passes: $name", async (vector) => {
  await using server = await startReplay(vector.exchanges);
  const { result, error, keepsToken } = await actInTypeScript(FILE, vector, server.url);
  expect(server.problems()).toEqual([]);
  if (vector.result !== undefined) expect(result).toMatchObject(vector.result);
  expect(error).toEqual(vector.error);
  expect(keepsToken).toBe(vector.keepsToken);
});

test("[W52] a client that asks for something else, or leaves something out, fails", async () => {
  const [vector] = FILE.vectors;
  await using server = await startReplay(vector?.exchanges ?? []);
  await fetch(`${server.url}/packages`, { method: "POST", body: "{}" });
  expect(server.problems()).toEqual(["unexpected: POST /packages", "missing: POST /packages"]);
});
