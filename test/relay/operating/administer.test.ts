import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCurrent } from "../../../relay/operating/folder-database.ts";
import { DeletionHold } from "../../../relay/operating/hold-deletions.ts";
import { openActions } from "../../../relay/operating/administer.ts";
import { mergeRemovals } from "../../../relay/operating/restore-database.ts";
import { restore } from "../../../relay/operating/restore.ts";
import { appendRemovals, type RemovalKind } from "../../../relay/storage/removals-log.ts";
import { soon } from "../../sim/soon.ts";
import { subject, SUM } from "./operate.ts";
import { operatingCases } from "./operating-cases.ts";
import { RunningRelay } from "../running-relay.ts";
import { neverSent } from "../storage/records/every-statement.ts";
import { noteStatements } from "../storage/records/noted-statements.ts";
import {
  emptyFolder,
  handOn,
  lookInto,
  relayWithSounds,
  soundsIn,
  startOn,
} from "./backed-up-relay.ts";

const FIRST_PAGE = { limit: 50 };
const sent = noteStatements();

for (const { title, run } of operatingCases(() => relayWithSounds())) test(title, run);

test("an operator's cases send every statement of operating to SQLite", async () => {
  sent[Symbol.dispose]();
  expect(await neverSent("operating", sent.sqlite)).toEqual([]);
});

test("[AD2] the log is kept for a year", async () => {
  await using relay = await RunningRelay.start();
  const admin = await handOn(relay.folder);
  await admin.turn("claims", true);
  const view = await lookInto(relay.folder);
  const count = async () => (await view.list("log", FIRST_PAGE)).items.length;
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
  const devices = (await view.list("devices", FIRST_PAGE)).items.map(({ device_id: id }) => id);
  expect(devices).not.toContain(erased.importer.deviceId);
  const left = (await view.list("packages", FIRST_PAGE)).items.map((one) => one.package_id);
  expect(left).not.toContain(packages[1]);
  const blocks = (await view.list("blocks", FIRST_PAGE)).items.map((one) => one.subject);
  expect(blocks).toEqual(["192.0.2.0/24"]);
  const denials = (await view.list("denied", FIRST_PAGE)).items.map(({ sha256 }) => sha256);
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

test("[AD13][Z11] a restored backup brings no removed key back, and keeps the others", async () => {
  const { relay, run } = await relayWithSounds();
  const admin = await openActions({ dataFolder: relay.folder }, { who: "anna" });
  const key = { endsAt: null, maxUses: null };
  const [removed, kept] = [
    await admin.addKey({ name: "removed", ...key }),
    await admin.addKey({ name: "kept", ...key }),
  ];
  const { folder } = await run();
  await admin.removeKey("removed");
  // Its name is free again.
  await admin.addKey({ name: "removed", ...key });
  await admin[Symbol.asyncDispose]();
  await relay.stop();
  await restore({ backup: folder, dataFolder: relay.folder, isReplacing: true });
  const again = await startOn(relay.folder);
  Object.assign(again.relay.context.policy, { registersByKey: true });
  const codeOf = async (secret = "") => {
    const headers = { "x-soundferry-registration-key": secret };
    return (await again.call("POST", "/importer/register", { headers })).json.code;
  };
  expect(await codeOf(removed)).toBe("REGISTRATION_KEY_REMOVED");
  expect(await codeOf(kept)).toBeUndefined();
  const view = await lookInto(relay.folder);
  const names = (await view.list("keys", FIRST_PAGE)).items.map(({ name }) => name);
  expect(names).toEqual(["kept"]);
});

test("[AD13][K10] a relay by key that has none says so until one is added", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_REGISTRATION: "key" });
  const notices = async () => (await relay.call("GET", "/readyz")).json.notices;
  expect(await notices()).toEqual([expect.stringContaining("No computer can register")]);
  const admin = await handOn(relay.folder);
  await admin.addKey({ name: "studio", endsAt: null, maxUses: null });
  await soon(notices).toEqual([]);
  await admin.removeKey("studio");
  await soon(notices).toHaveLength(1);
});

test("[AD13] a removed key is remembered for a year", async () => {
  await using relay = await RunningRelay.start({ SOUNDFERRY_REGISTRATION: "key" });
  const admin = await handOn(relay.folder);
  const secret = await admin.addKey({ name: "studio", endsAt: null, maxUses: null });
  await admin.removeKey("studio");
  const headers = { "x-soundferry-registration-key": secret ?? "" };
  const codeOf = async () =>
    (await relay.call("POST", "/importer/register", { headers })).json.code;
  relay.clock.pass(364 * 86_400);
  await relay.sweep();
  expect(await codeOf()).toBe("REGISTRATION_KEY_REMOVED");
  relay.clock.pass(2 * 86_400);
  await relay.sweep();
  expect(await codeOf()).toBe("REGISTRATION_KEY_WRONG");
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
