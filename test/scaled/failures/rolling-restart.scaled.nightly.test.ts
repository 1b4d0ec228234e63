import { expect, test } from "vitest";
import { startCluster } from "../../../scaled/cluster.ts";
import { RANDOM_SEED } from "../../random-seed.ts";
import { randomFrom } from "../../sim/random.ts";
import { PACKAGE_BYTES, type Sent, sendSlowly } from "../../relay/restart/slow-app.ts";

const PACKAGES = 50;
const APPS = 5;

/** Limits that fifty packages at once from one address don't reach. */
const LIMITS = {
  SOUNDFERRY_UPLOADS_PER_PAIRING: "100",
  SOUNDFERRY_UPLOADS_PER_DEVICE: "100",
  SOUNDFERRY_PACKAGES_PER_HOUR: "1000",
  SOUNDFERRY_CALLS_PER_MINUTE: "100000",
};

async function post(url: string, body: object, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  expect(answer.ok, `${url}: ${answer.status}`).toBe(true);
  return (await answer.json()) as Record<string, string>;
}

test("[SC20] 50 packages of 4 slow files over a rolling restart of three relays are all committed, and hardly anything is sent twice", async () => {
  await using cluster = await startCluster({ settings: LIMITS });
  const { url } = cluster;
  const { importer_token: importer } = await post(`${url}/importer/register`, {});
  const tokens: string[] = [];
  for (let app = 0; app < APPS; app += 1) {
    const { code } = await post(`${url}/importer/pairing-code`, {}, importer);
    const claim = { code, app_name: "Slow app", app_id: `app-${app}` };
    const { app_token: token = "" } = await post(`${url}/pair/claim`, claim);
    tokens.push(token);
  }
  const random = randomFrom(RANDOM_SEED);
  const restarting = cluster.rollingRestart();
  const sending: Promise<Sent>[] = Array.from({ length: PACKAGES }, (_, at) =>
    sendSlowly({
      url,
      token: tokens[at % APPS] ?? "",
      pauseMs: () => 200 + random() * 400,
    }),
  );
  const [sent] = await Promise.all([Promise.all(sending), restarting]);
  expect(sent).toHaveLength(PACKAGES);
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set(["waiting"]));
  // A call that meets a relay at its very end is answered with 503, and its sound sent again.
  const bytesSent = sent.reduce((sum, one) => sum + one.bytesSent, 0);
  expect(bytesSent).toBeGreaterThanOrEqual(PACKAGES * PACKAGE_BYTES);
  expect(bytesSent).toBeLessThan(1.1 * PACKAGES * PACKAGE_BYTES);
  const listed = await fetch(`${url}/importer/packages`, {
    headers: { authorization: `Bearer ${importer}` },
  });
  const { packages } = (await listed.json()) as { packages: unknown[] };
  expect(packages).toHaveLength(PACKAGES);
});
