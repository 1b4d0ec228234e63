import { describe, test } from "vitest";
import { removeDevice } from "../../../../relay/domain/pairing/devices.ts";
import {
  quarantines,
  type QuarantiningSoundStore,
  resumesSounds,
  type ResumingSoundStore,
} from "../../../../relay/domain/ports.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { lookForUnknown } from "../../../../relay/domain/upkeep/quarantine.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { DAY, HOUR, MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { withFaults } from "../faulty-ports.ts";
import { holdUntil } from "./hold-until.ts";
import { openUseCases, pairedApp, send, storedKeys, type UseCases } from "../use-cases.ts";

/** A relay whose sounds' times the test sets. */
async function open() {
  const cases = await openUseCases();
  const { sounds } = cases.context;
  if (!quarantines(sounds) || !resumesSounds(sounds)) throw new Error("The store can do both.");
  const resuming: ResumingSoundStore = sounds;
  const changedAt = new Map<string, number>();
  const list = sounds.list.bind(sounds);
  sounds.list = async function* () {
    for await (const one of list()) {
      yield { ...one, changedAt: changedAt.get(one.key) ?? cases.clock.time };
    }
  };
  const leave = async (key: string, at: number, isFinished = true) => {
    const writer = await resuming.create(key, { bytes: 3, sha256: "" });
    await writer.write(new Uint8Array(3));
    if (isFinished) await writer.finish();
    else await writer.suspend();
    changedAt.set(key, at);
  };
  return {
    cases,
    sounds,
    /** Stores a sound that no record names. */
    leave,
    look: () => lookForUnknown(cases.context),
    aside: () => asideIn(sounds),
    note: (topic: "deletion" | "leftovers") => cases.context.health.notices.get(topic),
    [Symbol.asyncDispose]: () => cases[Symbol.asyncDispose](),
  };
}

async function asideIn(sounds: QuarantiningSoundStore): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of sounds.listQuarantined()) keys.push(key);
  return keys.toSorted();
}

function keysNamed(count: number, name: string): readonly string[] {
  return Array.from({ length: count }, (_, index) => `pkg_${name}${index % 7}/snd_${index}`);
}

/** Makes it look as if so many packages were known. */
function know(cases: UseCases, prefix: string): void {
  const { upkeep } = cases.context;
  if (upkeep === undefined) throw new Error("The database has upkeep.");
  const findUnknown = upkeep.findUnknown.bind(upkeep);
  Object.assign(upkeep, {
    findUnknown: async (keys: readonly string[]) =>
      findUnknown(keys.filter((key) => !key.startsWith(prefix))),
  });
}

describe.concurrent("a look at the sounds", () => {
  test("[Z4] quarantines finished sounds that no record knows once they are older than the upload window", async ({
    expect,
  }) => {
    await using relay = await open();
    const app = await pairedApp(relay.cases);
    const packageId = await send(relay.cases, app);
    await relay.leave("pkg_x/snd_old", T0 - HOUR);
    await relay.leave("pkg_x/snd_new", T0 - HOUR + 1);
    await relay.leave(`${packageId}/snd_beside`, T0 - HOUR);
    await relay.look();
    expect(await relay.aside()).toEqual([`${packageId}/snd_beside`, "pkg_x/snd_old"].toSorted());
    expect(await storedKeys(relay.cases)).toHaveLength(2);
    expect(relay.note("leftovers")).toMatch(/^2 sound files/);
  });

  test("[Z4] deletes them after their time in the quarantine, and no sooner", async ({
    expect,
  }) => {
    await using relay = await open();
    await relay.leave("pkg_x/snd_1", T0 - HOUR);
    await relay.look();
    relay.cases.clock.time = T0 + 7 * DAY - 1;
    await relay.look();
    expect(await relay.aside()).toEqual(["pkg_x/snd_1"]);
    relay.cases.clock.time = T0 + 7 * DAY;
    await relay.look();
    expect(await relay.aside()).toEqual([]);
    expect(relay.note("leftovers")).toBeUndefined();
  });

  test("[Z4] moves and deletes nothing by a time that isn't proven", async ({ expect }) => {
    await using relay = await open();
    const { context, clock } = relay.cases;
    await relay.leave("pkg_x/snd_1", T0 - HOUR);
    await relay.look();
    await relay.leave("pkg_x/snd_2", T0);
    Object.assign(context.clock, { confirmedNow: () => T0 });
    clock.time = T0 + 30 * DAY;
    await relay.look();
    expect(await relay.aside()).toEqual(["pkg_x/snd_1"]);
    expect(await storedKeys(relay.cases)).toEqual(["pkg_x/snd_2"]);
  });

  test("[Z4] D1: puts back what a record knows again", async ({ expect }) => {
    await using relay = await open();
    const app = await pairedApp(relay.cases);
    await send(relay.cases, app);
    const keys = await storedKeys(relay.cases);
    await relay.sounds.quarantine(keys, T0 - 30 * DAY);
    await relay.look();
    expect(await relay.aside()).toEqual([]);
    expect(await storedKeys(relay.cases)).toEqual(keys);
  });

  test("[Z4] deletes unfinished sounds that nobody has written to for an hour", async ({
    expect,
  }) => {
    await using relay = await open();
    await relay.leave("pkg_x/snd_old", T0 - HOUR, false);
    await relay.leave("pkg_x/snd_new", T0 - HOUR + 1, false);
    await relay.cases.context.soundKeys.addPending("pkg_x/snd_pending", T0 + HOUR);
    await relay.leave("pkg_x/snd_pending", T0 - DAY, false);
    await relay.look();
    expect(await storedKeys(relay.cases)).toEqual(["pkg_x/snd_new", "pkg_x/snd_pending"]);
  });

  test.for([
    { unknown: 20, known: 0, moved: 20 },
    { unknown: 21, known: 0, moved: 0 },
    { unknown: 21, known: 188, moved: 0 },
    { unknown: 21, known: 189, moved: 21 },
  ])(
    "[Z4] of $unknown unknown and $known known sounds, $moved are moved",
    async ({ unknown, known, moved }, { expect }) => {
      await using relay = await open();
      know(relay.cases, "pkg_known");
      await Promise.all([
        ...keysNamed(unknown, "x").map((key) => relay.leave(key, T0 - HOUR)),
        ...keysNamed(known, "known").map((key) => relay.leave(key, T0 - HOUR)),
      ]);
      await relay.look();
      expect(await relay.aside()).toHaveLength(moved);
      expect(await storedKeys(relay.cases)).toHaveLength(unknown + known - moved);
      if (moved > 0) expect(relay.note("deletion")).toBeUndefined();
      else expect(relay.note("deletion")).toContain(`doesn't know 21 of ${unknown + known}`);
    },
  );

  test("[Z4] counts what was moved within 24 hours, so that too much isn't moved bit by bit", async ({
    expect,
  }) => {
    await using relay = await open();
    const keys = keysNamed(24, "x");
    for (const key of keys.slice(0, 15)) await relay.leave(key, T0 - HOUR);
    await relay.look();
    for (const key of keys.slice(15)) await relay.leave(key, T0 - HOUR);
    relay.cases.clock.time = T0 + DAY - 1;
    await relay.look();
    expect(await relay.aside()).toHaveLength(15);
    expect(relay.note("deletion")).toBeDefined();
    relay.cases.clock.time = T0 + DAY;
    await relay.look();
    expect(await relay.aside()).toHaveLength(24);
    expect(relay.note("deletion")).toBeUndefined();
  });

  test("[Z4] says what lies in the quarantine and for how long, and what it left alone", async ({
    expect,
  }) => {
    await using relay = await open();
    Object.assign(relay.cases.context.policy, { quarantineMs: 36 * HOUR });
    await relay.leave("pkg_x/snd_1", T0 - HOUR);
    await relay.look();
    expect(relay.note("leftovers")).toBe(
      "1 sound file that no package has is in the quarantine, and deleted after 1.5 days there. " +
        "`soundferry relay check` lists them.",
    );
    await relay.leave("pkg_x/snd_2", T0 - HOUR);
    await relay.look();
    expect(relay.note("leftovers")).toMatch(/^2 sound files that no package has are in the/);
    for (const key of keysNamed(30, "x")) await relay.leave(key, T0 - HOUR);
    await relay.look();
    expect(relay.note("deletion")).toBe(
      "The database doesn't know 30 of 30 sound files. It may be the wrong one, so nothing was moved. " +
        "Run `soundferry relay check`, and with --repair if they are to be quarantined.",
    );
  });

  test("[Z4] does nothing where one of the stores can't tell", async ({ expect }) => {
    await using relay = await open();
    await relay.leave("pkg_x/snd_1", T0 - HOUR);
    await lookForUnknown(withFaults(relay.cases, {}).context);
    await lookForUnknown({ ...relay.cases.context, upkeep: undefined });
    expect(await storedKeys(relay.cases)).toEqual(["pkg_x/snd_1"]);
  });

  test("[Z4] does nothing where the folder of sounds is another relay's", async ({ expect }) => {
    await using relay = await open();
    await relay.leave("pkg_x/snd_1", T0 - HOUR);
    await lookForUnknown({ ...relay.cases.context, instanceId: "ins_1" });
    expect(await relay.aside()).toEqual([]);
  });
});

describe.concurrent("erasing", () => {
  test.for(["its package is withdrawn", "its computer is removed"])(
    "[Z4] also deletes in the quarantine when %s",
    async (way, { expect }) => {
      await using relay = await open();
      const { cases } = relay;
      const app = await pairedApp(cases);
      const [packageId, kept] = [await send(cases, app), await send(cases, await pairedApp(cases))];
      const aside = [packageId, packageId, kept].map((id, at) => `${id}/snd_x${at}`);
      for (const key of aside) await relay.leave(key, T0 - HOUR);
      await relay.look();
      expect(await relay.aside()).toEqual(aside.toSorted());
      if (way === "its package is withdrawn") await withdraw(cases.context, app, packageId);
      else await removeDevice(cases.context, app.deviceId);
      expect(await relay.aside()).toEqual([`${kept}/snd_x2`]);
      expect(await cases.context.soundKeys.list({ state: "doomed", limit: 9 })).toEqual([]);
    },
  );
});

test("[Z4] a withdrawal looks only at what the quarantine has of its package", async ({
  expect,
}) => {
  await using relay = await open();
  const { cases, sounds } = relay;
  const app = await pairedApp(cases);
  const packageId = await send(cases, app);
  for (const id of [packageId, "pkg_other"]) await relay.leave(`${id}/snd_x`, T0 - HOUR);
  await relay.look();
  const seen: string[] = [];
  const list = sounds.listQuarantined.bind(sounds);
  sounds.listQuarantined = async function* (only) {
    for await (const one of list(only)) {
      seen.push(one.key);
      yield one;
    }
  };
  await withdraw(cases.context, app, packageId);
  expect(seen).toEqual([`${packageId}/snd_x`]);
});

describe.concurrent("while a backup holds deletions", () => {
  test("[Z3] nothing is deleted, and everything is afterwards", async ({ expect }) => {
    await using relay = await open();
    const { context, clock } = relay.cases;
    let isHeld = true;
    holdUntil(context, () => clock.time + (isHeld ? MINUTE : 0));
    const app = await pairedApp(relay.cases);
    const [withdrawn] = [await send(relay.cases, app), await send(relay.cases, app)];
    await relay.leave("pkg_x/snd_1", T0 - HOUR);
    await relay.leave("pkg_x/snd_2", T0 - HOUR, false);
    await relay.leave("pkg_x/snd_3", T0 - HOUR);
    await relay.sounds.quarantine(["pkg_x/snd_3"], T0 - 30 * DAY);
    const keys = await storedKeys(relay.cases);
    await withdraw(context, app, withdrawn);
    clock.time = T0 + DAY;
    await sweep(context);
    await relay.look();
    expect(await storedKeys(relay.cases)).toEqual(keys);
    expect(await relay.aside()).toEqual(["pkg_x/snd_3"]);
    isHeld = false;
    await sweep(context);
    await relay.look();
    expect(await storedKeys(relay.cases)).toEqual([]);
    expect(await relay.aside()).toEqual(["pkg_x/snd_1"]);
  });
});
