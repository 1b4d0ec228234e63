import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStoredSettings, type IdentityStore } from "../../../addon/state/stored-settings.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { identityAt, REFUSAL, tokenOf } from "./identity-at.ts";
import { identitiesInMemory } from "./linked-client.ts";

test("[P9] a relay that refuses the token it has just given gives no other one for 10 minutes", async () => {
  const clock = { nowMs: 0 };
  const store = identitiesInMemory();
  const { identity, seen } = identityAt(
    "https://a.example",
    store,
    { instance: "one" },
    () => clock.nowMs,
  );
  expect(identity.refuse(await tokenOf(identity), REFUSAL)).toBe(false);
  for (let call = 0; call < 3; call += 1) await expect(tokenOf(identity)).rejects.toBe(REFUSAL);
  expect(seen.registrations).toBe(1);
  clock.nowMs = 600_000;
  expect(identity.refuse(await tokenOf(identity), REFUSAL)).toBe(false);
  await expect(tokenOf(identity)).rejects.toBe(REFUSAL);
  identity.startOver();
  // Both refused tokens may be valid again.
  expect(await tokenOf(identity)).toBe("sfi_https://a.example_one2");
  expect(seen.registrations).toBe(2);
});

test("[P9] a server that names another instance each time neither fills the file nor registers without bound", async () => {
  const store = identitiesInMemory();
  const relay = { instance: "home" };
  const clock = { nowMs: 0 };
  const { identity, seen } = identityAt("https://a.example", store, relay, () => clock.nowMs);
  const first = await tokenOf(identity);
  identity.notePaired();
  for (let hello = 0; hello < 20; hello += 1) {
    relay.instance = `other-${hello}`;
    identity.doubt();
    await tokenOf(identity).catch(() => undefined);
  }
  await expect(tokenOf(identity)).rejects.toThrow(
    "Another relay answers at https://a.example each time. Tell its operator.",
  );
  expect(seen.registrations).toBe(6);
  for (let hello = 20; hello < 40; hello += 1) {
    relay.instance = `other-${hello}`;
    clock.nowMs += 600_000;
    identity.doubt();
    await tokenOf(identity);
  }
  expect(store.identities()).toHaveLength(5);
  relay.instance = "home";
  identity.doubt();
  expect(await tokenOf(identity)).toBe(first);
});

test("[P9] a new identity that doesn't fit on the disk is kept and stored later, not registered again", async () => {
  const disk = { isFull: true };
  const store = fillingStore(disk);
  const { identity, seen } = identityAt("https://a.example", store, { instance: "one" });
  for (let call = 0; call < 3; call += 1) {
    await expect(tokenOf(identity)).rejects.toThrow(/^The disk with .* is full\./);
  }
  disk.isFull = false;
  const token = await tokenOf(identity);
  expect(seen.registrations).toBe(1);
  expect(store.identities()).toMatchObject([{ importerToken: token }]);
});

test("[P9] a full disk fails no call for what the relay says about an identity", async () => {
  const disk = { isFull: false };
  const store = fillingStore(disk);
  const relay: { instance?: string } = {};
  const { identity } = identityAt("https://a.example", store, relay);
  const token = await tokenOf(identity);
  relay.instance = "one";
  identity.doubt();
  expect(await tokenOf(identity)).toBe(token);
  disk.isFull = true;
  identity.accept(token);
  disk.isFull = false;
  identity.accept(token);
  expect(store.identities()).toMatchObject([{ importerToken: token, instance: "one" }]);
});

/** Fails like Node's file calls while the disk is full. */
function fillingStore(disk: { readonly isFull: boolean }): IdentityStore {
  const store = identitiesInMemory();
  return {
    identities: () => store.identities(),
    storeIdentities: (entries) => {
      const full = { code: "ENOSPC", syscall: "write" };
      if (disk.isFull) throw Object.assign(new Error("ENOSPC: no space left"), full);
      store.storeIdentities(entries);
    },
  };
}

test("[P9][K3] a file that is damaged meanwhile stays as it is, and nothing is registered", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "config.json");
  const store = openStoredSettings(folder);
  const { identity, seen } = identityAt("https://a.example", store);
  const token = await tokenOf(identity);
  const text = await readFile(path, "utf8");
  await writeFile(path, '{"identities":[]}');
  identity.doubt();
  await expect(tokenOf(identity)).rejects.toThrow(/config\.json is damaged: "identities" must be/);
  expect(() => store.storeSetting("SOUNDFERRY_DEVICE_NAME", "Studio")).toThrow(/is damaged/);
  expect(await readFile(path, "utf8")).toBe('{"identities":[]}');
  await writeFile(path, text);
  expect(await tokenOf(identity)).toBe(token);
  expect(seen.registrations).toBe(1);
});

test("[K17] a file with a byte order mark is read, also one that holds nothing", async () => {
  const folder = await temporaryFolder();
  const path = join(folder, "config.json");
  await writeFile(path, "\uFEFF{}\n");
  const { identity } = identityAt("https://a.example", openStoredSettings(folder));
  const token = await tokenOf(identity);
  await writeFile(path, `\uFEFF${await readFile(path, "utf8")}`);
  const store = openStoredSettings(folder);
  expect(store.findIdentity("https://a.example")).toMatchObject({ importerToken: token });
  store.storeSetting("SOUNDFERRY_DEVICE_NAME", "Studio");
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({ identities: {} });
});

test.each(["removed", "emptied"])(
  "[P9] a file that is %s meanwhile gets the identity in use again",
  async (how) => {
    const folder = await temporaryFolder();
    const path = join(folder, "config.json");
    const { identity, seen } = identityAt("https://a.example", openStoredSettings(folder));
    const token = await tokenOf(identity);
    await (how === "removed" ? rm(path) : writeFile(path, "{}"));
    identity.doubt();
    expect(await tokenOf(identity)).toBe(token);
    expect(seen.registrations).toBe(1);
    expect(openStoredSettings(folder).findIdentity("https://a.example")).toMatchObject({
      importerToken: token,
    });
  },
);
