import { describe, test } from "vitest";
import { callingApp } from "../../../../relay/domain/caller.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../relay/domain/context.ts";
import { manifestOf } from "../../../manifest-of.ts";
import { waitingPackage } from "../packages/waiting-package.ts";
import { announced, recordOf, send, upload, wavOf } from "../use-cases.ts";
import { holdUntil } from "./hold-until.ts";
import { asideIn, corrupt, scrubbing } from "./scrubbing.ts";

const FILES = ["a.wav", "b.wav", "c.wav"];

describe.concurrent("a scrub beside others", () => {
  test("[Z16] leaves a sound whose second reading is right", async ({ expect }) => {
    await using relay = await waitingPackage();
    const { context } = relay;
    const open = context.sounds.open.bind(context.sounds);
    let reads = 0;
    context.sounds.open = async (key, range) => {
      reads += 1;
      return reads === 1 ? open(key, { start: 4, end: range.end }) : open(key, range);
    };
    const { run, found } = scrubbing(context);
    await run();
    expect({ found, reads }).toEqual({ found: [], reads: 2 });
    expect((await relay.status()).files).toEqual({ "kick.wav": "uploaded" });
  });

  test("[Z16] leaves a sound that is withdrawn or replaced while it is read", async ({
    expect,
  }) => {
    await using relay = await waitingPackage(FILES);
    const { context, cases, packageId } = relay;
    await corrupt(relay, "b.wav");
    const find = context.packages.find.bind(context.packages);
    const packages = Object.assign(Object.create(context.packages), {
      find: async (id: string) => {
        const record = await find(id);
        return record && { ...record, uploaded: new Map([["b.wav", `${id}/snd_new`]]) };
      },
    });
    const replaced = scrubbing({ ...context, packages });
    await replaced.run();
    const gone = Object.assign(Object.create(packages), { find: async () => undefined });
    const withdrawn = scrubbing({ ...context, packages: gone });
    cases.clock.time += 2 * HOUR_MS;
    await withdrawn.run();
    expect([...replaced.found, ...withdrawn.found]).toEqual([]);
    expect(await asideIn(context)).toEqual([]);
    expect((await recordOf(cases, packageId)).uploaded.size).toBe(3);
  });

  test("[Z16] moves nothing while a backup is made, or while the folder is another one", async ({
    expect,
  }) => {
    await using relay = await waitingPackage();
    const { context, cases } = relay;
    await corrupt(relay, "kick.wav");
    const other = scrubbing({ ...context, instanceId: "ins_1" });
    await other.run();
    // It begins while the sound is read.
    let isHeld = false;
    holdUntil(context, () => cases.clock.time + (isHeld ? MINUTE_MS : 0));
    const open = context.sounds.open.bind(context.sounds);
    context.sounds.open = async (key, range) => {
      isHeld = true;
      return open(key, range);
    };
    const held = scrubbing(context);
    await held.run();
    expect([...other.found, ...held.found]).toEqual([]);
    expect(await asideIn(context)).toEqual([]);
    context.sounds.open = open;
    isHeld = false;
    await held.run();
    expect(held.found).toEqual(["kick.wav differs"]);
  });

  test("[Z16] reads for at most its share of the time, one piece at a time, and waits while sounds are sent", async ({
    expect,
  }) => {
    await using relay = await waitingPackage();
    const { context, app, cases } = relay;
    const wav = wavOf(1_500_000);
    let time = 0;
    let readMs = 0;
    const open = context.sounds.open.bind(context.sounds);
    const sizes: number[] = [];
    context.sounds.open = async (key, range) => {
      sizes.push(range.end - range.start + 1);
      time += 40;
      readMs += 40;
      return open(key, range);
    };
    const { package_id: id } = await announced(cases, app, manifestOf({ "big.wav": wav }));
    await upload(cases, app, id, { file: "big.wav", pieces: [wav] });
    const waits: number[] = [];
    const sleep = async (ms: number) => {
      waits.push(ms);
      time += ms;
    };
    const { run } = scrubbing(context, { share: 0.2, monotonic: () => time, sleep });
    await run();
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(wav.length);
    expect(Math.max(...sizes)).toBe(512 * 1024);
    expect(readMs / time).toBeCloseTo(0.2);
    expect(waits).not.toContain(1000);
    using _upload = context.admission.take("uploads", callingApp(app, "192.0.2.1"));
    cases.clock.time += 2 * HOUR_MS;
    await run();
    expect(waits).toContain(1000);
  });

  test("[Z16] continues after a stop where it was, and the next run begins an hour after the last", async ({
    expect,
  }) => {
    await using relay = await waitingPackage();
    const { context, cases, app } = relay;
    for (let count = 0; count < 4; count += 1) await send(cases, app);
    const opened: string[] = [];
    const open = context.sounds.open.bind(context.sounds);
    const stopped = scrubbing(context);
    context.sounds.open = async (key, range) => {
      opened.push(key.split("/")[0] ?? "");
      if (opened.length === 3) stopped.ending.abort();
      return open(key, range);
    };
    await stopped.run();
    expect(opened).toHaveLength(3);
    const { run } = scrubbing(context, { holder: "after a restart" });
    await run();
    expect(opened).toEqual([...opened.slice(0, 3), ...opened.slice(2, 3), ...opened.slice(4)]);
    expect(new Set(opened).size).toBe(5);
    await run();
    expect(opened).toHaveLength(6);
    cases.clock.time += HOUR_MS;
    await run();
    expect(opened).toHaveLength(11);
  });

  test("[Z16] of several relays one scrubs, and another continues soon after it was killed", async ({
    expect,
  }) => {
    await using relay = await waitingPackage();
    const { context, cases } = relay;
    const read = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    let reads = 0;
    const open = context.sounds.open.bind(context.sounds);
    context.sounds.open = async (key, range) => {
      reads += 1;
      began.resolve();
      if (reads === 1) await read.promise;
      return open(key, range);
    };
    const first = scrubbing(context).run();
    await began.promise;
    const second = scrubbing(context, { holder: "two" });
    await second.run();
    expect(reads).toBe(1);
    cases.clock.time += 6 * MINUTE_MS;
    await second.run();
    expect(reads).toBe(2);
    read.resolve();
    await first;
  });
});
