import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importerSettings } from "../addon/settings.ts";
import { readSettings, SettingsError } from "../core/settings.ts";
import { formatSettings } from "../scripts/write-settings.ts";
import { RELAY_SETTINGS, readRelaySettings } from "../relay/settings.ts";

test("[K3] .env.example names every setting of relay and importer with its default", async () => {
  const example = await readFile(join(import.meta.dirname, "..", ".env.example"), "utf8");
  expect(example).toBe(formatSettings());
});

test("[K3] reports every problem of the settings at once, flags before the environment", () => {
  const environment = {
    SOUNDFERRY_PORT: "70000",
    SOUNDFERRY_LEASE_S: "soon",
    SOUNDFERRY_TRUST_PROXY: "nobody",
    SOUNDFERRY_DATABASE_URL: "127.0.0.1",
    SOUNDFERRY_HOST: "",
  };
  try {
    readRelaySettings({ environment });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    const { problems } = error as SettingsError;
    expect(problems).toHaveLength(4);
    for (const variable of ["PORT", "LEASE_S", "TRUST_PROXY", "DATABASE_URL"]) {
      expect(problems.join("\n")).toContain(`SOUNDFERRY_${variable} `);
    }
  }
  const good = readRelaySettings({
    environment: { SOUNDFERRY_PORT: "4800", SOUNDFERRY_HOST: "" },
    flags: { SOUNDFERRY_PORT: "4900" },
  });
  expect([good.port, good.host]).toEqual([4900, "127.0.0.1"]);
});

test("[K3] no message shows a password", () => {
  const variables = ["DATABASE_URL", "DATABASE_LISTEN_URL"];
  for (const variable of variables.map((name) => `SOUNDFERRY_${name}`)) {
    const read = () => readRelaySettings({ environment: { [variable]: "mysql://me:hunter2@db" } });
    expect(read).toThrow(`${variable} must begin with `);
    expect(read).not.toThrow("hunter2");
  }
});

test("[K3] settings that belong together are required together", () => {
  for (const environment of [
    { SOUNDFERRY_DATABASE_LISTEN_URL: "postgres://db/relay" },
    { SOUNDFERRY_S3_ENDPOINT: "http://127.0.0.1:9000" },
    { SOUNDFERRY_S3_BUCKET: "sounds", SOUNDFERRY_S3_ACCESS_KEY_ID: "key" },
    { SOUNDFERRY_S3_BUCKET: "sounds", SOUNDFERRY_S3_SECRET_ACCESS_KEY: "secret" },
    { SOUNDFERRY_S3_PRESIGN_DOWNLOADS: "on" },
    { SOUNDFERRY_TLS_CERT: import.meta.filename },
  ]) {
    expect(() => readRelaySettings({ environment })).toThrow(SettingsError);
  }
});

test("[L1] every limit is a setting, with the default of the public interface", () => {
  const defaults = readSettings(RELAY_SETTINGS, []);
  expect(defaults).toMatchObject({
    callsPerMinute: 600,
    packagesPerHour: 30,
    pairingTriesPerMinute: 10,
    uploadWindowSeconds: 3600,
    waitWindowSeconds: 86_400,
    statusWindowSeconds: 7 * 86_400,
    leaseSeconds: 300,
    uploadIdleSeconds: 60,
    pairingCodeTtlSeconds: 600,
    waitingPackagesPerDevice: 200,
  });
  expect(importerSettings().panelPort.fallback).toBe(4701);
});
