import { expect } from "vitest";
import { checkRelay } from "../../../relay/operating/check.ts";
import { manifestOf } from "../../manifest-of.ts";
import { soon } from "../../sim/soon.ts";
import { smallWav } from "../../wav-bytes.ts";
import { operate, type OperatedRelay, type OperatingCases, PAGE, subject, SUM } from "./operate.ts";
import { FIND_CASES } from "./find-cases.ts";
import { VIEW_CASES } from "./view-cases.ts";

/** Cases of an operator who acts on any stores, and looks at them. */
export function operatingCases(make: () => Promise<OperatedRelay>) {
  return Object.entries({ ...VIEW_CASES, ...FIND_CASES, ...CASES }).map(([title, run]) => ({
    title,
    run: async () => run(await operate(await make())),
  }));
}

const CASES: OperatingCases = {
  "[AD2] every change is logged with its time and who made it, and what changes nothing isn't":
    async ({ importer, packages, actions, view }) => {
      const [first = ""] = packages;
      for (let times = 0; times < 2; times += 1) {
        await actions.block(subject("192.0.2.1"), true);
        await actions.turn("claims", true, "Later.");
        await actions.purge(first);
        await actions.deny(SUM);
      }
      expect((await view.list("blocks", PAGE)).items).toMatchObject([{ subject: "192.0.2.1" }]);
      expect((await view.list("denied", PAGE)).items).toMatchObject([{ sha256: SUM }]);
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

      const { items } = await view.list("log", PAGE);
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
      const older = await view.list("log", { limit: 2, after: String(items[1]?.seq) });
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
    const addFile = packages.addFile.bind(packages);
    // The relay has looked, and found the sound allowed; its change comes after the denial.
    packages.addFile = async (added) => {
      packages.addFile = addFile;
      expect((await actions.deny(SUM)).packages).toEqual(sent.toSorted());
      return addFile(added);
    };
    const put = await relay.call("PUT", upload["a.wav"] ?? "", { token, body: smallWav() });
    expect(put.json.code).toBe("SOUND_DENIED");
    const announced = async () =>
      (await relay.call("POST", "/packages", { token, body: manifestOf(["b.wav"]) })).json.code;
    await soon(announced).toBe("SOUND_DENIED");
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
    const { items } = await view.list("log", PAGE);
    expect(items.map(({ action, detail }) => [action, detail])).toEqual([
      ["deny", JSON.stringify([packages[0]])],
      ["deny", "[]"],
    ]);
    const found = await checkRelay(settings, {});
    expect(found).toMatchObject({ lost: [], unknown: [], misplaced: [] });
    expect((await view.readStats()).bytes_missing).toBe(3 * smallWav().length);
  },

  "[AD13] a registration with a key counts on it, and one that ended, is used up or removed is refused with that reason":
    async ({ relay, actions, view }) => {
      Object.assign(relay.relay.context.policy, {
        registersByKey: true,
        registrationKey: "sesame",
      });
      const register = async (key = "") => {
        const headers = { "x-soundferry-registration-key": key };
        return relay.call("POST", "/importer/register", { headers });
      };
      const codeOf = async (key?: string) => (await register(key)).json.code;
      const add = async (name: string, more: { endsAt?: number; maxUses?: number } = {}) =>
        actions.addKey({ name, endsAt: null, maxUses: null, ...more });
      const studio = await add("studio", { maxUses: 2 });
      expect(studio).toMatch(/^sfk_[\w-]{32}$/);
      expect(await add("studio")).toBeUndefined();
      const course = await add("course", { endsAt: Date.now() + 3_600_000 });
      const ended = await add("ended", { endsAt: Date.now() - 1 });
      expect(await codeOf(ended)).toBe("REGISTRATION_KEY_ENDED");
      for (const wrong of ["", `${studio}x`, "Sesame"]) {
        expect(await codeOf(wrong)).toBe("REGISTRATION_KEY_WRONG");
      }
      const first = (await register(studio)).json.device_id;
      const setting = (await register("sesame")).json.device_id;
      const raced = await Promise.all([1, 2, 3].map(() => codeOf(studio)));
      const refusals = raced.filter((code) => code !== undefined);
      expect(refusals).toEqual(["REGISTRATION_KEY_USED_UP", "REGISTRATION_KEY_USED_UP"]);
      expect(await codeOf(course)).toBeUndefined();
      expect(await actions.removeKey("course")).toBe(true);
      expect(await actions.removeKey("course")).toBe(false);
      expect(await actions.removeKey("nobody")).toBeUndefined();
      expect(await codeOf(course)).toBe("REGISTRATION_KEY_REMOVED");
      const again = await add("course");
      expect(await codeOf(again)).toBeUndefined();

      expect((await view.list("keys", PAGE)).items).toMatchObject([
        { name: "course", uses: 1, ends_at: null },
        { name: "ended", uses: 0 },
        { name: "setting", uses: 1, added_at: null },
        { name: "studio", uses: 2, max_uses: 2 },
      ]);
      const devices = (await view.list("devices", PAGE)).items;
      const keyOf = (id: string) => devices.find((one) => one.device_id === id)?.registration_key;
      expect([first, setting].map(keyOf)).toEqual(["studio", "setting"]);
      const log = (await view.list("log", PAGE)).items;
      expect(log.map(({ action, subject: name }) => `${action} ${name}`)).toEqual([
        "keys add course",
        "keys remove course",
        "keys add ended",
        "keys add course",
        "keys add studio",
      ]);
      expect(JSON.stringify(log)).not.toContain(studio);
      Object.assign(relay.relay.context.policy, { registersByKey: false });
      expect(await codeOf(course)).toBeUndefined();
    },

  "[AD14][A4] a computer's own limits count from the next announcement on, and no other computer's":
    async ({ relay, importer, token, actions, view }) => {
      const { deviceId } = importer;
      const other = await relay.paired();
      const roomOf = async (bearer: string) =>
        (await relay.call("GET", "/app/me", { token: bearer })).json.room;
      const codeOf = async (bearer: string) =>
        (await relay.call("POST", "/packages", { token: bearer, body: manifestOf(["b.wav"]) })).json
          .code;
      const usual = await roomOf(token);
      const stored = 3 * smallWav().length;
      const set = await actions.setQuota({ deviceId, bytes: stored + 100, waiting: 3 });
      expect(set).toEqual({ quota: { bytes: stored + 100, waiting: 3 }, changed: true });
      await soon(() => roomOf(token)).toMatchObject({ bytes_left: 100, waiting_left: 1 });
      expect(await codeOf(token)).toBe("DEVICE_FULL");
      expect(await roomOf(other.token)).toMatchObject({ waiting_left: usual.waiting_left + 2 });
      expect(await codeOf(other.token)).toBeUndefined();

      await actions.setQuota({ deviceId, bytes: null, waiting: 2 });
      await soon(() => codeOf(token)).toBe("MANY_WAIT");
      const again = await actions.setQuota({ deviceId, waiting: 2 });
      expect(again).toEqual({ quota: { bytes: null, waiting: 2 }, changed: false });
      const listed = (await view.list("devices", PAGE, { id: deviceId })).items;
      expect(listed).toMatchObject([{ bytes_quota: null, waiting_quota: 2 }]);
      expect((await view.find(deviceId, 1)).device).toMatchObject({ waiting_quota: 2 });
      await actions.setQuota({ deviceId, bytes: null, waiting: null });
      await soon(() => roomOf(token)).toEqual(usual);
      expect(await actions.setQuota({ deviceId: "dev_of_nobody", waiting: 1 })).toBeUndefined();
      const log = (await view.list("log", PAGE)).items;
      expect(log.map(({ action, subject: of, detail }) => [action, of, detail])).toEqual([
        ["quota", deviceId, '{"bytes":null,"waiting":null}'],
        ["quota", deviceId, '{"bytes":null,"waiting":2}'],
        ["quota", deviceId, `{"bytes":${stored + 100},"waiting":3}`],
      ]);
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
    const [app] = (await view.list("apps", PAGE)).items;
    const pairing = app?.pairing_id ?? "";
    expect(await actions.revoke(pairing)).toEqual({ files: 1, waiting: 0 });
    expect(await actions.revoke(pairing)).toBeUndefined();
    await soon(async () => (await relay.call("GET", "/app/me", { token })).status).toBe(401);
    expect(await actions.purge(importer.deviceId)).toEqual({ files: 3, waiting: 0 });
    expect((await view.list("log", PAGE)).items[0]?.detail).toBe(
      JSON.stringify(packages.toSorted()),
    );
    expect((await view.list("packages", PAGE)).items).toEqual([]);
    expect((await checkRelay(settings, {})).soundCount).toBe(0);
    const again = await relay.pair(importer);
    expect(await actions.revoke(importer.deviceId)).toEqual({ files: 0, waiting: 0 });
    const statusOf = async (bearer: string, of: string) =>
      (await relay.call("GET", of, { token: bearer })).status;
    await soon(() => statusOf(importer.token, "/importer/apps")).toBe(401);
    await soon(() => statusOf(again, "/app/me")).toBe(401);
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
    expect((await view.list("blocks", PAGE)).items).toEqual([]);
    const left = (await view.list("packages", PAGE)).items.map((one) => one.package_id);
    expect(left).toEqual([kept]);
    expect(packages).not.toContain(kept);
    const found = await checkRelay(settings, {});
    expect(found).toMatchObject({ soundCount: 1, lost: [], unknown: [], doomedCount: 0 });
    expect(await actions.erase(importer.deviceId)).toBeUndefined();
  },
};
