import { expect, test } from "vitest";
import { startCluster } from "../cluster.ts";
import { randomFrom } from "../../sim/random.ts";
import { ROOMY_LIMITS } from "../../sim/settings.ts";
import { PACKAGE_BYTES, pairApps, sendSlowly } from "../../sim/slow-app.ts";
import { RANDOM_SEED } from "../../runner/random-seed.ts";

const PACKAGES = 50;
const APPS = 5;

test("[SC20] 50 packages of 4 slow files over a rolling restart of three relays are all committed, and hardly anything is sent twice", async () => {
  await using cluster = await startCluster({ settings: ROOMY_LIMITS });
  const { url } = cluster;
  const random = randomFrom(RANDOM_SEED);
  const pauseMs = () => 200 + random() * 400;
  const { tokens, app } = await pairApps(url, APPS);
  const restarting = cluster.rollingRestart();
  const sending = Array.from({ length: PACKAGES }, (_, at) =>
    sendSlowly({ url, token: tokens[at % APPS] ?? "", pauseMs }),
  );
  const [sent] = await Promise.all([Promise.all(sending), restarting]);
  expect(sent.map(({ status }) => status)).toEqual(Array(PACKAGES).fill("waiting"));
  // A call that meets a relay at its very end is answered with 503, and its sound sent again.
  const bytesSent = sent.reduce((sum, one) => sum + one.bytesSent, 0);
  expect(bytesSent).toBeGreaterThanOrEqual(PACKAGES * PACKAGE_BYTES);
  expect(bytesSent).toBeLessThan(1.1 * PACKAGES * PACKAGE_BYTES);
  const { json } = await app.asImporter(200, "GET", "/packages");
  expect(json.packages).toHaveLength(PACKAGES);
});
