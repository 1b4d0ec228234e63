import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ADD_OPERATOR } from "../../../relay/storage/sqlite/add-operator.ts";
import { MIGRATIONS } from "../../../relay/storage/sqlite/schema.ts";
import { RunningRelay } from "../running-relay.ts";

test("[AD9] a computer that was never paired goes a week after it was last seen, one that was paired stays", async () => {
  await using relay = await RunningRelay.start();
  const never = await relay.register();
  const seen = await relay.register();
  const { importer, token } = await relay.paired();
  await relay.call("POST", "/app/unpair", { token });
  const statusOf = async (bearer: { token: string }) =>
    (await relay.call("GET", "/importer/apps", bearer)).status;
  relay.clock.pass(6 * 86_400);
  expect(await statusOf(seen)).toBe(200);
  await relay.sweep();
  relay.clock.pass(2 * 86_400);
  await relay.sweep();
  expect(await statusOf(never)).toBe(401);
  expect(await statusOf(seen)).toBe(200);
  expect(await statusOf(importer)).toBe(200);
});

test("[AD9] computers that were registered before an upgrade count as paired", () => {
  using old = new DatabaseSync(":memory:");
  for (const step of MIGRATIONS.slice(0, MIGRATIONS.indexOf(ADD_OPERATOR))) old.exec(step);
  const columns = "device_id, device_name, token_hash, registered_at, last_seen_at";
  old.exec(`INSERT INTO devices (${columns}) VALUES ('dev_1', 'Old', 'hash', 1, 1)`);
  old.exec(ADD_OPERATOR);
  expect(old.prepare("SELECT has_paired FROM devices").get()?.["has_paired"]).toBe(1);
});
