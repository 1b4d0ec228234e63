import { expect, test } from "vitest";
import { RunningRelay } from "../../running-relay.ts";

test("[L10] the call for a code says so", async () => {
  await using relay = await RunningRelay.start();
  const { importer } = await relay.paired();
  const { token } = importer;
  const call = () => relay.call("POST", "/importer/pairing-code", { token });
  let last = await call();
  for (let at = 0; at < 300 && last.status === 201; at += 1) last = await call();
  expect([last.status, last.json.code]).toEqual([429, "TOO_MUCH_AT_ONCE"]);
  expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
});
