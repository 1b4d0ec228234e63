import { describe, test } from "vitest";
import { HOUR_MS } from "../../../../relay/domain/context.ts";
import { findDownload } from "../../../../relay/domain/packages/find-download.ts";
import { quarantines } from "../../../../relay/domain/ports.ts";
import { lookForUnknown } from "../../../../relay/domain/upkeep/quarantine.ts";
import { waitingPackage } from "../packages/waiting-package.ts";
import { recordOf, upload } from "../use-cases.ts";
import { asideIn, corrupt, flip, keyOf, scrubbing, upkeepOf } from "./scrubbing.ts";

const FILES = ["a.wav", "b.wav", "c.wav"];

describe.concurrent("a scrub", () => {
  test.for([
    ["a flipped bit", flip],
    ["zeros in its place", (bytes: Buffer) => bytes.fill(0)],
  ] as const)(
    "[Z16] of a sound with %s quarantines it, and its app can send it again",
    async ([, edit], { expect }) => {
      await using relay = await waitingPackage(FILES);
      const { context, cases, app, packageId } = relay;
      const key = await corrupt(relay, "b.wav", edit);
      const { run, found } = scrubbing(context);
      await run();
      expect(found).toEqual(["b.wav differs"]);
      const files = { "a.wav": "uploaded", "b.wav": "missing", "c.wav": "uploaded" };
      expect(await relay.status()).toMatchObject({ status: "waiting", files });
      expect(await asideIn(context)).toMatchObject([{ key }]);
      await lookForUnknown(context);
      expect(await asideIn(context)).toHaveLength(1);
      const { read } = await findDownload(context, app.deviceId, packageId, "b.wav").catch(
        (error: unknown) => ({ read: () => Promise.reject(error) }),
      );
      await expect(read({ start: 0, end: 3 })).rejects.toMatchObject({ code: "SOUND_LOST" });
      await upload(cases, app, packageId, { file: "b.wav" });
      expect((await relay.status()).files["b.wav"]).toBe("uploaded");
    },
  );

  test("[Z16] leaves sounds that are what their apps sent", async ({ expect }) => {
    await using relay = await waitingPackage(FILES);
    const before = await relay.status();
    const compared: string[] = [];
    const meter = { ...relay.context.meter, scrubbed: (one: string) => void compared.push(one) };
    const { run, found } = scrubbing({ ...relay.context, meter });
    await run();
    expect(compared).toEqual(["same", "same", "same"]);
    expect(found).toEqual([]);
    expect(await relay.status()).toEqual(before);
  });

  test("[Z16] takes bytes that the disk can't read for differing ones, and other failures for none", async ({
    expect,
  }) => {
    await using relay = await waitingPackage(FILES);
    const { context } = relay;
    const bad = await keyOf(relay.cases, relay.packageId, "b.wav");
    const open = context.sounds.open.bind(context.sounds);
    let code = "EMFILE";
    context.sounds.open = async (key, range) => {
      if (key === bad) throw Object.assign(new Error(code), { code });
      return open(key, range);
    };
    const { run, found } = scrubbing(context);
    await expect(run()).rejects.toThrow("EMFILE");
    expect(found).toEqual([]);
    code = "EIO";
    await run();
    expect(found).toEqual(["b.wav unreadable"]);
    expect((await relay.status()).files["b.wav"]).toBe("missing");
  });

  test("[Z16][Z2] finds what is gone, and finds again what the quarantine has", async ({
    expect,
  }) => {
    await using relay = await waitingPackage(FILES);
    const { context, cases, packageId } = relay;
    const { sounds } = context;
    await sounds.delete([await keyOf(cases, packageId, "a.wav")]);
    if (quarantines(sounds)) await sounds.quarantine([await keyOf(cases, packageId, "b.wav")], 5);
    const { run, found } = scrubbing(context);
    await run();
    expect(found).toEqual(["a.wav lost"]);
    expect((await relay.status()).files).toMatchObject({ "a.wav": "missing", "b.wav": "uploaded" });
  });

  test("[Z16] stops at the eleventh differing sound, says so, and begins again once an operator has checked", async ({
    expect,
  }) => {
    await using relay = await waitingPackage(
      Array.from({ length: 14 }, (_, index) => `${index}.wav`),
    );
    const { context, cases } = relay;
    for (const file of Object.keys((await relay.status()).files)) await corrupt(relay, file);
    const { run, found } = scrubbing(context);
    await run();
    expect(found).toHaveLength(11);
    expect(await asideIn(context)).toHaveLength(10);
    expect(context.health.notices.get("damage")).toContain("check --deep --repair");
    cases.clock.time += 25 * HOUR_MS;
    await run();
    expect(found, "halted").toHaveLength(11);
    await upkeepOf(context).keep({ isScrubHalted: false });
    await run();
    expect(found).toHaveLength(15);
    expect(await asideIn(context)).toHaveLength(14);
    expect(context.health.notices.has("damage")).toBe(false);
  });

  test("[Z16] of a store with checksums compares those, and reads nothing", async ({ expect }) => {
    await using relay = await waitingPackage(FILES);
    const { context, cases, packageId } = relay;
    const { uploaded, manifest } = await recordOf(cases, packageId);
    const kept = new Map([
      [uploaded.get("a.wav"), manifest.items[0]?.sha256],
      [uploaded.get("b.wav"), "f".repeat(64)],
    ]);
    context.sounds.checksumOf = async (key) => kept.get(key);
    context.sounds.open = () => Promise.reject(new Error("It is far away."));
    const compared: string[] = [];
    const meter = { ...context.meter, scrubbed: (one: string) => void compared.push(one) };
    const { run, found } = scrubbing({ ...context, meter });
    await run();
    expect(found).toEqual(["b.wav differs"]);
    expect(compared.toSorted()).toEqual(["differs", "same", "unchecked"]);
  });
});
