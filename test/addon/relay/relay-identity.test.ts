import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RelayIdentity } from "../../../addon/relay/relay-identity.ts";
import type { IdentityStore } from "../../../addon/state/stored-settings.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import { SettingsError } from "../../../core/settings.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function identityAt(relayUrl: string, store: IdentityStore) {
  const seen = { registrations: 0, lost: 0 };
  const identity = new RelayIdentity({
    relayUrl,
    store,
    deviceName: "Studio",
    register: async () => {
      seen.registrations += 1;
      return {
        deviceId: `dev_${relayUrl}`,
        importerToken: `sfi_${relayUrl}_${seen.registrations}`,
      };
    },
    onLost: () => {
      seen.lost += 1;
    },
  });
  return { identity, seen };
}

test("[P9][P1] each relay has its own identity, and returning to one registers nothing", async () => {
  const folder = await temporaryFolder();
  const urls = ["https://a.example", "https://b.example/ferry.v1", "http://127.0.0.1:4700"];
  for (const url of urls) {
    const { identity, seen } = identityAt(url, openStoredSettings(folder));
    expect(await identity.token()).toBe(`sfi_${url}_1`);
    expect(seen.registrations).toBe(1);
  }
  for (const url of urls) {
    const { identity, seen } = identityAt(url, openStoredSettings(folder));
    expect(await identity.token()).toBe(`sfi_${url}_1`);
    expect(seen.registrations).toBe(0);
  }
});

test("[P9] registers again where a relay forgot the identity; other relays' identities stay", async () => {
  const store = openStoredSettings(await temporaryFolder());
  const other = identityAt("https://b.example", store);
  await other.identity.token();
  const { identity, seen } = identityAt("https://a.example", store);
  const first = await identity.token();
  identity.forget(first);
  expect(store.findIdentity("https://a.example")).toBeUndefined();
  const second = await identity.token();
  expect(second).not.toBe(first);
  // A late 401 to a call that still had the old token harms nothing.
  identity.forget(first);
  expect(await identity.token()).toBe(second);
  expect(seen).toEqual({ registrations: 2, lost: 1 });
  expect(store.findIdentity("https://b.example")?.importerToken).toBe("sfi_https://b.example_1");
});

test("[P1] concurrent calls share one registration, and a failed one is retried", async () => {
  const store = openStoredSettings(await temporaryFolder());
  const { identity, seen } = identityAt("https://a.example", store);
  const tokens = await Promise.all([identity.token(), identity.token(), identity.token()]);
  expect(new Set(tokens).size).toBe(1);
  expect(seen.registrations).toBe(1);

  let tries = 0;
  const shaky = new RelayIdentity({
    relayUrl: "https://c.example",
    store,
    deviceName: "Studio",
    register: async () => {
      tries += 1;
      if (tries === 1) throw new Error("no relay there");
      return { deviceId: "dev_c", importerToken: "sfi_c" };
    },
    onLost: () => {},
  });
  await expect(shaky.token()).rejects.toThrow("no relay there");
  expect(await shaky.token()).toBe("sfi_c");
});

test("[A1][P9] only the user can read the token file, even if it was readable by others before", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "config.json");
  await writeFile(path, "{}");
  await chmod(path, 0o644);
  const { identity } = identityAt("https://a.example", openStoredSettings(folder));
  await identity.token();
  expect(await readFile(path, "utf8")).toContain("sfi_");
  if (process.platform !== "win32") expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("[K3] stored settings are found again, removed ones are not", async () => {
  const folder = await temporaryFolder();
  const store = openStoredSettings(folder);
  store.storeSetting("SOUNDFERRY_RELAY_URL", "https://relay.example");
  store.storeSetting("SOUNDFERRY_DEVICE_NAME", "Studio");
  store.storeSetting("SOUNDFERRY_DEVICE_NAME", undefined);
  expect(openStoredSettings(folder).settings()).toEqual({
    SOUNDFERRY_RELAY_URL: "https://relay.example",
  });
});

test("[K3] a damaged file throws a sentence and stays unchanged", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "config.json"), '{"identities": ');
  expect(() => openStoredSettings(folder)).toThrow(SettingsError);
  expect(() => openStoredSettings(folder)).toThrow(/config\.json is damaged/);
  expect(await readFile(join(folder, "config.json"), "utf8")).toBe('{"identities": ');
});

test("[P9] an invalid identity counts as none", async () => {
  const folder = await temporaryFolder();
  const identities = { "https://a.example": { deviceId: 7 }, "https://b.example": null };
  await writeFile(join(folder, "config.json"), JSON.stringify({ identities, settings: [] }));
  const store = openStoredSettings(folder);
  expect(store.findIdentity("https://a.example")).toBeUndefined();
  expect(store.findIdentity("https://b.example")).toBeUndefined();
  expect(store.settings()).toEqual({});
});
