import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCurrent } from "../../../relay/operating/folder-database.ts";
import { DeletionHold } from "../../../relay/operating/hold-deletions.ts";
import { openActions } from "../../../relay/operating/open-operated.ts";
import { blockSubjectOf } from "../../../relay/operating/operator-actions.ts";
import { mergeRemovals } from "../../../relay/operating/restore-database.ts";
import { restore } from "../../../relay/operating/restore.ts";
import { appendRemovals, type RemovalKind } from "../../../relay/storage/removals-log.ts";
import { manifestOf } from "../../manifest-of.ts";
import { soon } from "../../sim/soon.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import {
  emptyFolder,
  handOn,
  lookInto,
  relayWithSounds,
  soundsIn,
  startOn,
} from "./backed-up-relay.ts";

const SUM = createHash("sha256").update(smallWav()).digest("hex");
const FIRST_PAGE = { limit: 50 };

function subject(text: string) {
  const found = blockSubjectOf(text);
  if (found === undefined) throw new Error(`${text} can be blocked.`);
  return found;
}

test("[AD2] every change is logged with its time and who made it, and what changes nothing isn't", async () => {
  const { relay, importer, packages } = await relayWithSounds();
  const admin = await handOn(relay.folder);
  const [first = ""] = packages;
  for (let times = 0; times < 2; times += 1) {
    await admin.block(subject("192.0.2.1"), true);
    await admin.turn("claims", true, "Later.");
    await admin.purge(first);
    await admin.deny(SUM);
  }
  await admin.turn("claims", true, "Much later.");
  await admin.block(subject("192.0.2.1"), false);
  await admin.allow(SUM);
  await admin.noteExport(importer.deviceId);
  await admin.revoke("pair_of_nobody");
  await admin.erase(importer.deviceId);

  const view = await lookInto(relay.folder);
  const { items } = await view.listOperations(FIRST_PAGE);
  expect(items.map(({ action, subject: what, detail }) => [action, what, detail])).toEqual([
    ["erase", importer.deviceId, null],
    ["export", importer.deviceId, null],
    ["allow", SUM, null],
    ["unblock", "192.0.2.1", null],
    ["switch off", "claims", "Much later."],
    ["deny", SUM, JSON.stringify([packages[1]])],
    ["purge", first, null],
    ["switch off", "claims", "Later."],
    ["block", "192.0.2.1", null],
  ]);
  expect(items.every(({ who, at }) => who === "anna" && !Number.isNaN(Date.parse(at)))).toBe(true);
  const older = await view.listOperations({ limit: 2, after: String(items[1]?.seq) });
  expect(older.items).toEqual(items.slice(2, 4));
  expect(older.next).toBe(String(items[3]?.seq));
});

test("[AD2] the log is kept for a year", async () => {
  await using relay = await RunningRelay.start();
  const admin = await handOn(relay.folder);
  await admin.turn("claims", true);
  const view = await lookInto(relay.folder);
  const count = async () => (await view.listOperations(FIRST_PAGE)).items.length;
  relay.clock.pass(364 * 86_400);
  await relay.sweep();
  expect(await count()).toBe(1);
  relay.clock.pass(2 * 86_400);
  await relay.sweep();
  expect(await count()).toBe(0);
});

test("[AD1] without a running relay it does the same, and files are gone when it answers", async () => {
  const { relay, packages, importer } = await relayWithSounds();
  await relay.stop();
  const admin = await openActions({ dataFolder: relay.folder }, { who: "anna" });
  expect(await admin.purge(packages[0] ?? "")).toEqual({ files: 2, waiting: 0 });
  expect(await soundsIn(relay.folder)).toHaveLength(1);
  await admin.block(subject("127.0.0.1"), true);
  await admin[Symbol.asyncDispose]();
  const again = await startOn(relay.folder);
  const refused = await again.call("GET", "/importer/packages", importer);
  expect(refused.json.code).toBe("ADDRESS_BLOCKED");
});

test("[AD1] while a backup is made, what is purged waits, and nobody can read it", async () => {
  const { relay, packages, importer } = await relayWithSounds();
  const admin = await handOn(relay.folder);
  {
    using _hold = new DeletionHold(relay.folder);
    expect(await admin.purge(packages[0] ?? "")).toEqual({ files: 2, waiting: 2 });
    expect(await soundsIn(relay.folder)).toHaveLength(3);
    const path = `/importer/packages/${packages[0]}/files/kick.wav`;
    expect((await relay.call("GET", path, importer)).status).toBe(404);
  }
  await relay.sweep();
  expect(await soundsIn(relay.folder)).toHaveLength(1);
});

test("[AD5] an upload that finishes while its sound is denied stays out of its package", async () => {
  await using relay = await RunningRelay.start();
  const { token } = await relay.paired();
  const admin = await handOn(relay.folder);
  const { upload, package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
  const { packages } = relay.relay.context;
  const update = packages.update.bind(packages);
  // The relay has looked, and found the sound allowed; its change comes after the denial.
  packages.update = async (record) => {
    await admin.deny(SUM);
    return update(record);
  };
  const put = await relay.call("PUT", upload["a.wav"] ?? "", { token, body: smallWav() });
  expect(put.json.code).toBe("SOUND_DENIED");
  expect((await relay.status(token, id)).files).toEqual({ "a.wav": "missing" });
  expect(await soundsIn(relay.folder)).toEqual([]);
});

test("[AD8] an export has every row about a device, and none about another", async () => {
  const { relay, importer, token, packages } = await relayWithSounds();
  const other = await relay.paired();
  await relay.send(other.token);
  const body = { results: { "1": { status: "imported" } } };
  await relay.call("POST", `/importer/packages/${packages[0]}/results`, { ...importer, body });
  await relay.call("POST", "/packages", {
    token,
    body: manifestOf(["late.wav"]),
    headers: { "idempotency-key": "once" },
  });
  await relay.call("POST", "/importer/pairing-code", importer);
  const view = await lookInto(relay.folder);
  const coded = await view.exportDevice(importer.deviceId, Date.now());
  expect(coded?.records["pairing_codes"]).toHaveLength(1);
  const admin = await handOn(relay.folder);
  // That ends its code.
  await admin.block(subject(importer.deviceId), true);

  const exported = await view.exportDevice(importer.deviceId, Date.now());
  expect(Object.keys(exported?.records ?? {})).toEqual(
    expect.arrayContaining([
      "announcements",
      "app_tokens",
      "blocks",
      "devices",
      "idempotency_keys",
      "manifests",
      "operator_log",
      "packages",
      "pairings",
      "repeatable_claims",
    ]),
  );
  expect(exported?.sounds.map(({ file, stored }) => [file, stored])).toEqual(
    expect.arrayContaining([
      ["kick.wav", true],
      ["pad.wav", true],
      ["bass.wav", true],
      ["late.wav", false],
    ]),
  );
  expect(exported?.sounds).toHaveLength(4);
  const text = JSON.stringify(exported);
  expect(text).not.toContain(other.importer.deviceId);
  expect(text).not.toContain(token);
  expect(await view.exportDevice("dev_of_nobody", 0)).toBeUndefined();
});

test("[AD8] after an erasure no row and no file names the device, in a running relay and in its database", async () => {
  const { relay, importer, token, packages } = await relayWithSounds();
  const other = await relay.paired();
  const kept = await relay.send(other.token);
  const admin = await handOn(relay.folder);
  await admin.block(subject(importer.deviceId), true);
  const erased = await admin.erase(importer.deviceId);
  expect(erased).toEqual({ files: 3, waiting: 0, isOverwritten: true });
  await soon(async () => (await relay.call("GET", "/app/me", { token })).status).toBe(401);
  expect(await soundsIn(relay.folder)).toEqual([expect.stringContaining(kept)]);

  using database = openCurrent(relay.folder);
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const naming = tables.flatMap(({ name }) => {
    const rows = JSON.stringify(database.prepare(`SELECT * FROM "${String(name)}"`).all());
    const isNamed = [importer.deviceId, ...packages].some((id) => rows.includes(id));
    return isNamed ? [name] : [];
  });
  expect(naming).toEqual(["operator_log"]);
  expect(await admin.erase(importer.deviceId)).toBeUndefined();
});

test("[AD8][Z11] a restored backup undoes no erasure, no purge, no revocation, no block and no denial", async () => {
  const { relay, packages, run } = await relayWithSounds();
  const erased = await relay.paired();
  await relay.send(erased.token);
  const revoked = await relay.paired();
  await relay.send(revoked.token, ["other.wav"]);
  const { folder } = await run();

  const admin = await openActions({ dataFolder: relay.folder }, { who: "anna" });
  await admin.erase(erased.importer.deviceId);
  await admin.revoke(revoked.importer.deviceId);
  await admin.purge(packages[1] ?? "");
  await admin.block(subject("192.0.2.0/24"), true);
  await admin.block(subject("198.51.100.1"), true);
  await admin.block(subject("198.51.100.1"), false);
  const denied = await admin.deny(SUM);
  expect(denied.packages).toHaveLength(2);
  await admin.turn("claims", true);
  await admin[Symbol.asyncDispose]();
  await relay.stop();

  await restore({ backup: folder, dataFolder: relay.folder, isReplacing: true });
  const view = await lookInto(relay.folder);
  const devices = (await view.listDevices(FIRST_PAGE)).items.map(({ device_id: id }) => id);
  expect(devices).not.toContain(erased.importer.deviceId);
  const left = (await view.listPackages(FIRST_PAGE)).items.map((one) => one.package_id);
  expect(left).not.toContain(packages[1]);
  const blocks = (await view.listBlocks(FIRST_PAGE)).items.map((one) => one.subject);
  expect(blocks).toEqual(["192.0.2.0/24"]);
  const denials = (await view.listDenials(FIRST_PAGE)).items.map(({ sha256 }) => sha256);
  expect(denials).toEqual([SUM]);
  // A switch is for an emergency, and that one is over.
  expect((await view.listSwitches()).every(({ on }) => on)).toBe(true);
  const again = await startOn(relay.folder);
  await again.sweep();
  expect(await soundsIn(relay.folder)).toEqual([]);
  for (const { importer, token } of [erased, revoked]) {
    expect((await again.call("GET", "/importer/packages", importer)).status).toBe(401);
    expect((await again.call("GET", "/app/me", { token })).status).toBe(401);
  }
});

test("[AD8][Z11] of decisions in several logs that undo each other, the last one counts", async () => {
  const [older, newer] = [await emptyFolder(), await emptyFolder()];
  let seq = 0;
  const note = (folder: string, kind: RemovalKind, at: number, id = SUM) =>
    appendRemovals(folder, [{ seq: (seq += 1), at, kind, id }]);
  note(newer, "denied", 10);
  note(newer, "allowed", 20);
  note(newer, "denied", 30);
  note(newer, "blocked", 10, "192.0.2.1");
  note(newer, "unblocked", 10, "192.0.2.1");
  note(older, "allowed", 20);
  note(older, "blocked", 5, "192.0.2.1");
  for (const logs of [
    [older, newer],
    [newer, older],
  ]) {
    const { removals } = mergeRemovals(logs.map((folder) => join(folder, "removals.log")));
    expect(new Set(removals.map(({ kind, id }) => `${kind} ${id}`))).toEqual(
      new Set([`denied ${SUM}`, "unblocked 192.0.2.1"]),
    );
  }
});

test("[AD8] what was decided is in the log of removals when it is answered", async () => {
  await using relay = await RunningRelay.start();
  const { importer } = await relay.paired();
  const admin = await handOn(relay.folder);
  const logged = async () => readFile(join(relay.folder, "removals.log"), "utf8");
  await admin.deny(SUM);
  expect(await logged()).toContain(`"kind":"denied","id":"${SUM}"`);
  await admin.erase(importer.deviceId);
  expect(await logged()).toContain(`"kind":"device","id":"${importer.deviceId}"`);
});
