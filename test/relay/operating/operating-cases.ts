import { createHash } from "node:crypto";
import { expect, onTestFinished } from "vitest";
import { checkRelay } from "../../../relay/operating/on-stores.ts";
import { openActions, openRecords, openView } from "../../../relay/operating/open-operated.ts";
import { type BlockSubject, blockSubjectOf } from "../../../relay/operating/operator-actions.ts";
import { hasSound, listNamedSounds } from "../../../relay/storage/records/named-sounds.ts";
import { manifestOf } from "../../manifest-of.ts";
import { soon } from "../../sim/soon.ts";
import { smallWav } from "../../wav-bytes.ts";
import type { relayWithSounds } from "./backed-up-relay.ts";

/** A relay with two packages of two sounds and one, and where its stores are. */
export type OperatedRelay = Omit<Awaited<ReturnType<typeof relayWithSounds>>, "target" | "run">;

/** The SHA-256 of every sound that a test sends. */
export const SUM = createHash("sha256").update(smallWav()).digest("hex");
const PAGE = { limit: 50 };

/** Parses the subject of a block. */
export function subject(text: string): BlockSubject {
  const found = blockSubjectOf(text);
  if (found === undefined) throw new Error(`${text} can be blocked.`);
  return found;
}

/** What an operator does and sees, on any stores. */
export function operatingCases(make: () => Promise<OperatedRelay>) {
  return Object.entries(CASES).map(([title, run]) => ({
    title,
    run: async () => {
      const operated = await make();
      const { settings } = operated;
      const actions = await openActions(settings, { who: "anna" });
      onTestFinished(() => actions[Symbol.asyncDispose]());
      const view = await openView(settings);
      onTestFinished(() => view[Symbol.asyncDispose]());
      const records = await openRecords(settings, { mayWrite: true });
      onTestFinished(() => records[Symbol.asyncDispose]());
      await run({ ...operated, actions, view, records });
    },
  }));
}

interface Operating extends OperatedRelay {
  readonly actions: Awaited<ReturnType<typeof openActions>>;
  readonly view: Awaited<ReturnType<typeof openView>>;
  readonly records: Awaited<ReturnType<typeof openRecords>>;
}

const CASES: Readonly<Record<string, (operating: Operating) => Promise<void>>> = {
  "[AD1] lists show what the relay has, page by page, and figures sum it up": async (operating) => {
    const { relay, importer, token, packages, view } = operating;
    const { deviceId: lonely } = await relay.register("Lonely");
    const { package_id: begun } = await relay.announce(token, manifestOf(["late.wav"]));
    const first = await view.listDevices({ limit: 1 });
    const rest = await view.listDevices({ limit: 1, after: first.next ?? "" });
    expect([...first.items, ...rest.items].map((one) => one.device_id)).toEqual(
      [importer.deviceId, lonely].toSorted(),
    );
    expect(rest.next).toBeNull();
    const unpaired = (await view.listDevices(PAGE, { onlyUnpaired: true })).items;
    expect(unpaired).toMatchObject([{ device_id: lonely, device_name: "Lonely", apps: 0 }]);
    const [app] = (await view.listApps(PAGE, { device: importer.deviceId })).items;
    expect(app).toMatchObject({ app_id: "app-1", app_name: "Looper" });
    expect(await view.listApps(PAGE, { device: lonely })).toEqual({ items: [], next: null });

    const idsOf = async (...page: Parameters<typeof view.listPackages>) =>
      (await view.listPackages(...page)).items.map((one) => one.package_id);
    expect(await idsOf(PAGE)).toEqual([...packages, begun].toSorted());
    expect(await idsOf({ ...PAGE, after: begun })).toEqual(
      packages.filter((id) => id > begun).toSorted(),
    );
    expect(await idsOf(PAGE, { state: "uploading" })).toEqual([begun]);
    expect(await idsOf(PAGE, { state: "waiting" })).toEqual(packages.toSorted());
    expect(await idsOf(PAGE, { device: lonely })).toEqual([]);
    expect(await idsOf(PAGE, { sha256: SUM, device: importer.deviceId })).toHaveLength(3);
    expect(await idsOf(PAGE, { sha256: "0".repeat(64) })).toEqual([]);
    const listed = (await view.listPackages(PAGE)).items;
    expect(listed.find((one) => one.package_id === packages[0])).toMatchObject({
      app_name: "Looper",
      title: manifestOf(["kick.wav"]).title,
      sounds: 2,
      bytes: 2 * smallWav().length,
    });
    const stats = await view.readStats();
    expect(stats).toMatchObject({
      devices: 2,
      devices_never_paired: 1,
      apps: 1,
      packages: { uploading: 1, waiting: 2, imported: 0, partial: 0, failed: 0, over: 0 },
      bytes_announced: 4 * smallWav().length,
      bytes_missing: smallWav().length,
      blocked_addresses: 0,
    });
    expect(listed.map((one) => one.committed_at)).toContain(stats.oldest_waiting_since);
  },

  "[AD2] every change is logged with its time and who made it, and what changes nothing isn't":
    async ({ importer, packages, actions, view }) => {
      const [first = ""] = packages;
      for (let times = 0; times < 2; times += 1) {
        await actions.block(subject("192.0.2.1"), true);
        await actions.turn("claims", true, "Later.");
        await actions.purge(first);
        await actions.deny(SUM);
      }
      expect((await view.listBlocks(PAGE)).items).toMatchObject([{ subject: "192.0.2.1" }]);
      expect((await view.listDenials(PAGE)).items).toMatchObject([{ sha256: SUM }]);
      expect(await view.listSwitches()).toContainEqual(
        expect.objectContaining({ name: "claims", on: false, sentence: "Later." }),
      );
      await actions.turn("claims", true, "Much later.");
      await actions.turn("claims", false);
      await actions.block(subject("192.0.2.1"), false);
      await actions.allow(SUM);
      await actions.noteExport(importer.deviceId);
      await actions.revoke("pair_of_nobody");
      await actions.erase(importer.deviceId);

      const { items } = await view.listOperations(PAGE);
      expect(items.map(({ action, subject: what, detail }) => [action, what, detail])).toEqual([
        ["erase", importer.deviceId, null],
        ["export", importer.deviceId, null],
        ["allow", SUM, null],
        ["unblock", "192.0.2.1", null],
        ["switch on", "claims", null],
        ["switch off", "claims", "Much later."],
        ["deny", SUM, JSON.stringify([packages[1]])],
        ["purge", first, null],
        ["switch off", "claims", "Later."],
        ["block", "192.0.2.1", null],
      ]);
      const isDated = (at: string) => Math.abs(Date.parse(at) - Date.now()) < 600_000;
      expect(items.every(({ who, at }) => who === "anna" && isDated(at))).toBe(true);
      const older = await view.listOperations({ limit: 2, after: String(items[1]?.seq) });
      expect(older.items).toEqual(items.slice(2, 4));
      expect(older.next).toBe(String(items[3]?.seq));
    },

  "[AD5] an upload that finishes while its sound is denied stays out of its package": async ({
    relay,
    token,
    packages: sent,
    settings,
    actions,
  }) => {
    const { upload, package_id: id } = await relay.announce(token, manifestOf(["a.wav"]));
    const { packages } = relay.relay.context;
    const update = packages.update.bind(packages);
    // The relay has looked, and found the sound allowed; its change comes after the denial.
    packages.update = async (record) => {
      packages.update = update;
      expect((await actions.deny(SUM)).packages).toEqual(sent.toSorted());
      return update(record);
    };
    const put = await relay.call("PUT", upload["a.wav"] ?? "", { token, body: smallWav() });
    expect(put.json.code).toBe("SOUND_DENIED");
    expect((await relay.status(token, id)).files).toEqual({ "a.wav": "missing" });
    await soon(async () => (await checkRelay(settings, {})).soundCount).toBe(0);
  },

  "[AD5][AD2] what an interrupted denial left is removed by the next one, and logged": async ({
    packages,
    settings,
    actions,
    view,
    records,
  }) => {
    const by = { who: "anna", at: Date.now() };
    await records.engine.change("deny", { sha256: SUM, ...by });
    await records.engine.change("takeOut", { packageId: packages[1] ?? "", sha256: SUM });
    const denied = await actions.deny(SUM);
    expect(denied).toEqual({ isNew: false, packages: [packages[0]], files: 2, waiting: 0 });
    const { items } = await view.listOperations(PAGE);
    expect(items.map(({ action, detail }) => [action, detail])).toEqual([
      ["deny", JSON.stringify([packages[0]])],
      ["deny", "[]"],
    ]);
    const found = await checkRelay(settings, {});
    expect(found).toMatchObject({ lost: [], unknown: [], misplaced: [] });
    expect((await view.readStats()).bytes_missing).toBe(3 * smallWav().length);
  },

  "[AD7] a revoked app and a revoked computer are refused, and purged packages are gone": async ({
    relay,
    importer,
    token,
    packages,
    settings,
    actions,
    view,
  }) => {
    const begun = await relay.announce(token, manifestOf(["late.wav", "begun.wav"]));
    const path = begun.upload["begun.wav"] ?? "";
    await relay.call("PUT", path, { token, body: smallWav() });
    const [app] = (await view.listApps(PAGE)).items;
    const pairing = app?.pairing_id ?? "";
    expect(await actions.revoke(pairing)).toEqual({ files: 1, waiting: 0 });
    expect(await actions.revoke(pairing)).toBeUndefined();
    await soon(async () => (await relay.call("GET", "/app/me", { token })).status).toBe(401);
    expect(await actions.purge(importer.deviceId)).toEqual({ files: 3, waiting: 0 });
    expect((await view.listOperations(PAGE)).items[0]?.detail).toBe(
      JSON.stringify(packages.toSorted()),
    );
    expect((await view.listPackages(PAGE)).items).toEqual([]);
    expect((await checkRelay(settings, {})).soundCount).toBe(0);
    const again = await relay.pair(importer);
    expect(await actions.revoke(importer.deviceId)).toEqual({ files: 0, waiting: 0 });
    const statusOf = async (bearer: string, of: string) =>
      (await relay.call("GET", of, { token: bearer })).status;
    await soon(() => statusOf(importer.token, "/importer/apps")).toBe(401);
    await soon(() => statusOf(again, "/app/me")).toBe(401);
  },

  "[AD8] an export has every row about a device, and none about another": async ({
    relay,
    importer,
    token,
    packages,
    actions,
    view,
  }) => {
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
    const coded = await view.exportDevice(importer.deviceId, Date.now());
    expect(coded?.records["pairing_codes"]).toHaveLength(1);
    // That ends its code.
    await actions.block(subject(importer.deviceId), true);

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
    expect(exported?.records["pairing_codes"]).toBeUndefined();
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
  },

  "[AD8] an erased device is refused, and only the log names it": async ({
    relay,
    importer,
    token,
    packages,
    settings,
    actions,
    view,
  }) => {
    const other = await relay.paired();
    const kept = await relay.send(other.token);
    await actions.block(subject(importer.deviceId), true);
    expect(await actions.erase(importer.deviceId)).toMatchObject({ files: 3, waiting: 0 });
    await soon(async () => (await relay.call("GET", "/app/me", { token })).status).toBe(401);
    expect(await view.exportDevice(importer.deviceId, 0)).toBeUndefined();
    expect((await view.listBlocks(PAGE)).items).toEqual([]);
    const left = (await view.listPackages(PAGE)).items.map((one) => one.package_id);
    expect(left).toEqual([kept]);
    expect(packages).not.toContain(kept);
    const found = await checkRelay(settings, {});
    expect(found).toMatchObject({ soundCount: 1, lost: [], unknown: [], doomedCount: 0 });
    expect(await actions.erase(importer.deviceId)).toBeUndefined();
  },

  "[Z10] the sounds that packages have are listed, some packages at a time": async ({
    packages,
    actions,
    records: { engine },
  }) => {
    const [first, second] = packages.toSorted();
    const one = await engine.readSlowly(listNamedSounds({ after: undefined, limit: 1 }));
    expect(one.next).toBe(first);
    const two = await engine.readSlowly(listNamedSounds({ after: first, limit: 1 }));
    expect(two.next).toBe(second);
    const three = await engine.readSlowly(listNamedSounds({ after: second, limit: 1 }));
    expect(three).toEqual({ sounds: [], next: null });
    const all = [...one.sounds, ...two.sounds];
    const sound = { sha256: SUM, bytes: smallWav().length };
    expect(all.map(({ key: _, ...rest }) => rest)).toEqual([sound, sound, sound]);
    const [kept, gone] = [packages[0], packages[1]].map(
      (id) => all.find(({ key }) => key.startsWith(`${id}/`))?.key ?? "",
    );
    await actions.purge(packages[1] ?? "");
    expect(await engine.readSlowly(hasSound(kept ?? ""))).toBe(true);
    expect(await engine.readSlowly(hasSound(gone ?? ""))).toBe(false);
  },
};
