import { readFile } from "node:fs/promises";
import { get } from "node:https";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RunningRelay } from "../running-relay.ts";

test("[K3] serves https with the certificate and key in the settings", async () => {
  const folder = join(import.meta.dirname, "../tls");
  await using relay = await RunningRelay.start({
    SOUNDFERRY_TLS_CERT: join(folder, "cert.pem"),
    SOUNDFERRY_TLS_KEY: join(folder, "key.pem"),
  });
  expect(relay.url).toMatch(/^https:/);
  const ca = await readFile(join(folder, "cert.pem"), "utf8");
  const status = await new Promise((resolve, reject) => {
    get(`${relay.url}/healthz`, { ca, agent: false }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    }).on("error", reject);
  });
  expect(status).toBe(200);
});
