import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RelayIdentity } from "../../../addon/relay/relay-identity.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import { SettingsError } from "../../../core/settings.ts";
import { identityAt, REFUSAL, tokenOf } from "./identity-at.ts";
import { identitiesInMemory } from "./linked-client.ts";
import { temporaryFolder } from "../temporary-folder.ts";

test("[P9][P1] each relay has its own identity, and returning to one registers nothing", async () => {
  const folder = await temporaryFolder();
  const urls = ["https://a.example", "https://b.example/ferry.v1", "http://127.0.0.1:4700"];
  for (const url of urls) {
    const { identity, seen } = identityAt(url, openStoredSettings(folder));
    expect(await tokenOf(identity)).toBe(`sfi_${url}_1`);
    expect(seen.registrations).toBe(1);
  }
  for (const url of urls) {
    const { identity, seen } = identityAt(url, openStoredSettings(folder));
    expect(await tokenOf(identity)).toBe(`sfi_${url}_1`);
    expect(seen.registrations).toBe(0);
  }
});

test("[P9] a 401 sets an identity aside and never erases it; other relays' identities stay", async () => {
  const store = openStoredSettings(await temporaryFolder());
  const other = identityAt("https://b.example", store);
  await tokenOf(other.identity);
  const { identity, seen } = identityAt("https://a.example", store);
  const first = await tokenOf(identity);
  identity.accept(first);
  identity.refuse(first, REFUSAL);
  expect(identity.newBecause).toBeNull();
  const second = await tokenOf(identity);
  expect(second).not.toBe(first);
  expect(identity.newBecause).toBe("forgotten");
  // A late 401 to a call that still had the old token harms nothing.
  identity.refuse(first, REFUSAL);
  expect(await tokenOf(identity)).toBe(second);
  expect(seen).toEqual({ registrations: 2, hellos: 2 });
  const kept = store.identities().filter(({ relayUrl }) => relayUrl === "https://a.example");
  expect(kept).toMatchObject([
    { importerToken: second, madeBecause: "forgotten" },
    { importerToken: first, isRefused: true },
  ]);
  expect(store.findIdentity("https://b.example")?.importerToken).toBe("sfi_https://b.example_1");
});

test("[P9] when the relay has its old data back, the identity that was set aside is used again", async () => {
  const store = openStoredSettings(await temporaryFolder());
  const relay = { instance: "one" };
  const { identity, seen } = identityAt("https://a.example", store, relay);
  const first = await tokenOf(identity);
  identity.accept(first);
  identity.refuse(first, REFUSAL);
  const second = await tokenOf(identity);
  identity.accept(second);
  // The relay is restored from its backup: it doesn't know the second one.
  identity.startOver();
  expect(await tokenOf(identity)).toBe(second);
  expect(identity.refuse(second, REFUSAL)).toBe(true);
  expect(await tokenOf(identity)).toBe(first);
  identity.accept(first);
  expect(identity.newBecause).toBeNull();
  const later = identityAt("https://a.example", store, relay);
  expect(await tokenOf(later.identity)).toBe(first);
  expect([seen.registrations, later.seen.registrations]).toEqual([2, 0]);
});

test("[P9] a relay that refuses every token doesn't fill the file", async () => {
  const store = identitiesInMemory();
  for (let start = 0; start < 10; start += 1) {
    const { identity } = identityAt("https://a.example", store, { instance: "one" });
    let mayRepeat = true;
    while (mayRepeat) mayRepeat = identity.refuse(await tokenOf(identity), REFUSAL);
  }
  expect(store.identities().length).toBeLessThanOrEqual(3);
});

test("[P9] concurrent calls ask once which relay answers, and again after a doubt", async () => {
  const { identity, seen } = identityAt("https://a.example", identitiesInMemory());
  await Promise.all([tokenOf(identity), tokenOf(identity)]);
  await tokenOf(identity);
  expect(seen.hellos).toBe(1);
  identity.doubt();
  await Promise.all([tokenOf(identity), tokenOf(identity)]);
  expect(seen.hellos).toBe(2);
});

test("[P9] an identity without an instance belongs to the first one that accepts it", async () => {
  const old = { deviceId: "dev_1", importerToken: "sfi_old", deviceName: "Studio" };
  const relayUrl = "https://a.example";
  const store = identitiesInMemory([{ ...old, relayUrl }]);
  const stranger = identityAt(relayUrl, store, { instance: "stranger" });
  stranger.identity.refuse(await tokenOf(stranger.identity), REFUSAL);
  expect(await tokenOf(stranger.identity)).not.toBe("sfi_old");
  const home = identityAt(relayUrl, store, { instance: "home" });
  expect(await tokenOf(home.identity)).toBe("sfi_old");
  home.identity.accept("sfi_old");
  expect(store.identities()[0]).toMatchObject({ importerToken: "sfi_old", instance: "home" });
});

test("[P9] where a relay names no instance, its address alone counts", async () => {
  const store = identitiesInMemory();
  const relay: { instance?: string | undefined } = { instance: "one" };
  const { identity } = identityAt("https://a.example", store, relay);
  const token = await tokenOf(identity);
  identity.accept(token);
  // The operator goes back to a version that names none, and forward again.
  for (const instance of [undefined, "one"]) {
    relay.instance = instance;
    identity.startOver();
    expect(await tokenOf(identity)).toBe(token);
    identity.accept(token);
  }
});

test("[P1] concurrent calls share one registration, and a failed one is retried", async () => {
  const store = openStoredSettings(await temporaryFolder());
  const { identity, seen } = identityAt("https://a.example", store);
  const tokens = await Promise.all([tokenOf(identity), tokenOf(identity), tokenOf(identity)]);
  expect(new Set(tokens).size).toBe(1);
  expect(seen.registrations).toBe(1);

  let tries = 0;
  const shaky = new RelayIdentity({
    relayUrl: "https://c.example",
    store,
    deviceName: "Studio",
    hello: async () => ({}),
    register: async () => {
      tries += 1;
      if (tries === 1) throw new Error("no relay there");
      return { deviceId: "dev_c", importerToken: "sfi_c" };
    },
    onChange: () => {},
  });
  await expect(tokenOf(shaky)).rejects.toThrow("no relay there");
  expect(await tokenOf(shaky)).toBe("sfi_c");
});

test("[A1][P9] only the user can read the token file, even if it was readable by others before", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "config.json");
  await writeFile(path, "{}");
  await chmod(path, 0o644);
  const { identity } = identityAt("https://a.example", openStoredSettings(folder));
  await tokenOf(identity);
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

const IDENTITY = { deviceId: "dev_1", importerToken: "sfi_1", deviceName: "Studio" };

test.each([
  ["[]", "it must be an object."],
  ["null", "it must be an object."],
  ["", "it isn't valid JSON."],
  ['{"identities": []}', '"identities" must be an object.'],
  ['{"settings": "x"}', '"settings" must be an object.'],
  ['{"settings": {"A": 7}}', 'the setting "A" must be a string.'],
  [
    '{"identities": {"https://a.example": null}}',
    'the identity at "https://a.example" is incomplete.',
  ],
  [
    JSON.stringify({ identities: { "https://a.example": { ...IDENTITY, deviceId: 7 } } }),
    'the identity at "https://a.example" is incomplete.',
  ],
  ['{"setAside": {}}', '"setAside" must be a list.'],
  [JSON.stringify({ setAside: [IDENTITY] }), 'an identity in "setAside" is incomplete.'],
])(
  "[K3][P9] a file of the wrong shape is refused and stays unchanged: %s",
  async (text, problem) => {
    const folder = await temporaryFolder();
    const path = join(folder, "config.json");
    await writeFile(path, text);
    const sentence = `${path} is damaged: ${problem} Move it away and start again; you then need to pair your apps again.`;
    expect(() => openStoredSettings(folder)).toThrow(new SettingsError([sentence]));
    expect(await readFile(path, "utf8")).toBe(text);
  },
);

test("[P9] the file has the identities in use by address, and the others beside them", async () => {
  const folder = await temporaryFolder();
  const at = (relayUrl: string, importerToken: string) => ({
    ...IDENTITY,
    relayUrl,
    importerToken,
  });
  const entries = [at("https://a.example", "new"), at("https://b.example", "b")];
  const aside = { ...at("https://a.example", "old"), instance: "one", isRefused: true } as const;
  openStoredSettings(folder).storeIdentities([...entries, aside]);
  const file = JSON.parse(await readFile(join(folder, "config.json"), "utf8"));
  expect(file.identities).toEqual({
    "https://a.example": { ...IDENTITY, importerToken: "new" },
    "https://b.example": { ...IDENTITY, importerToken: "b" },
  });
  await writeFile(join(folder, "config.json"), JSON.stringify({ ...file, more: [1] }));
  expect(openStoredSettings(folder).identities()).toEqual([...entries, aside]);
});
