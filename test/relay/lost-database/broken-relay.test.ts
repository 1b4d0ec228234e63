import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { databasePathIn } from "../../../relay/storage/sqlite/open-database.ts";
import { RunningRelay } from "../running-relay.ts";
import { soon } from "../../sim/soon.ts";

test("[Z8] a relay without its database refuses every call, logs why, and lets its program know", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const id = await relay.send(token);
  const path = databasePathIn(relay.folder);
  expect(relay.relay.broken.aborted).toBe(false);
  rmSync(path);
  const refused = await relay.call("POST", "/importer/register", { body: {} });
  expect([refused.status, refused.json.code]).toEqual([503, "NOT_READY"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);

  await soon(() => relay.relay.broken.aborted).toBe(true);
  expect(String(relay.relay.broken.reason)).toContain(path);
  for (const call of [`/packages/${id}/status`, "/readyz"]) {
    await soon(async () => (await relay.call("GET", call, { token })).status).toBe(503);
  }
  const errors = relay.logLines.filter((line) => line.includes('"level":50'));
  expect(errors.join("")).toContain(`${path} was removed or renamed while the relay was running`);
});
