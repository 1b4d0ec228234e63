import { expect, test } from "vitest";
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
