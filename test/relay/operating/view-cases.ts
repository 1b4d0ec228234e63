import { expect } from "vitest";
import type { ListFilter, PageOf } from "../../../relay/operating/listed.ts";
import { hasSound, listNamedSounds } from "../../../relay/storage/records/named-sounds.ts";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import { type OperatingCases, PAGE, subject, SUM } from "./operate.ts";

/** Cases of an operator who looks. */
export const VIEW_CASES: OperatingCases = {
  "[AD1] lists show what the relay has, page by page, and figures sum it up": async (operating) => {
    const { relay, importer, token, packages, view } = operating;
    const { deviceId: lonely } = await relay.register("Lonely");
    const { package_id: begun } = await relay.announce(token, manifestOf(["late.wav"]));
    const first = await view.list("devices", { limit: 1 });
    const rest = await view.list("devices", { limit: 1, after: first.next ?? "" });
    expect([...first.items, ...rest.items].map((one) => one.device_id)).toEqual([
      lonely,
      importer.deviceId,
    ]);
    expect(rest.next).toBeNull();
    const unpaired = (await view.list("devices", PAGE, { onlyUnpaired: true })).items;
    expect(unpaired).toMatchObject([{ device_id: lonely, device_name: "Lonely", apps: 0 }]);
    const [app] = (await view.list("apps", PAGE, { device: importer.deviceId })).items;
    expect(app).toMatchObject({ app_id: "app-1", app_name: "Looper", device_name: "Studio" });
    expect(await view.list("apps", PAGE, { device: lonely })).toEqual({ items: [], next: null });

    const idsOf = async (page: PageOf, filter?: ListFilter) =>
      (await view.list("packages", page, filter)).items.map((one) => one.package_id);
    const newestFirst = [begun, ...packages.toReversed()];
    expect(await idsOf(PAGE)).toEqual(newestFirst);
    const page = await view.list("packages", { limit: 1 });
    expect(await idsOf({ ...PAGE, after: page.next ?? "" })).toEqual(newestFirst.slice(1));
    expect(await idsOf(PAGE, { state: "uploading" })).toEqual([begun]);
    expect(await idsOf(PAGE, { state: "waiting" })).toEqual(packages.toReversed());
    expect(await idsOf(PAGE, { device: lonely })).toEqual([]);
    expect(await idsOf(PAGE, { sha256: SUM, device: importer.deviceId })).toHaveLength(3);
    expect(await idsOf(PAGE, { sha256: "0".repeat(64) })).toEqual([]);
    const listed = (await view.list("packages", PAGE)).items;
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
    const sound = expect.objectContaining({ sha256: SUM, bytes: smallWav().length });
    expect(all).toEqual([sound, sound, sound]);
    const [kept, gone] = [packages[0], packages[1]].map(
      (id) => all.find(({ key }) => key.startsWith(`${id}/`))?.key ?? "",
    );
    await actions.purge(packages[1] ?? "");
    expect(await engine.readSlowly(hasSound(kept ?? ""))).toBe(true);
    expect(await engine.readSlowly(hasSound(gone ?? ""))).toBe(false);
  },
};
