import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { commitPackage } from "../../../../relay/domain/packages/commit-package.ts";
import { findDownload } from "../../../../relay/domain/packages/find-download.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { HOUR, MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import type { SoundStore, SoundWriter } from "../../../../relay/domain/ports.ts";
import { createWith, death, withFaults } from "../faulty-ports.ts";
import { openUpload, WAV } from "./open-upload.ts";
import { anotherProcess, doomedKeys, recordOf, storedKeys, upload } from "../use-cases.ts";

/** The time at which a key that was left pending is doomed: 5 minutes after the end of the upload window. */
const PENDING_ENDS = T0 + HOUR + 5 * MINUTE;

type Opened = Awaited<ReturnType<typeof openUpload>>;

/** Uploads as a process with these faults. */
const uploadWith = ({ cases, app, packageId }: Opened, faults: Parameters<typeof withFaults>[1]) =>
  upload(withFaults(cases, faults), app, packageId);

async function expectNothingLeft({ cases }: Opened): Promise<void> {
  expect(await storedKeys(cases)).toEqual([]);
  expect(await doomedKeys(cases)).toEqual([]);
}

describe("an upload's key", () => {
  test("[J2] is pending before the store gets anything, until 5 minutes after the upload window", async () => {
    await using relay = await openUpload();
    const { soundKeys, sounds } = relay.cases.context;
    const order: unknown[] = [];
    await uploadWith(relay, {
      soundKeys: {
        addPending: async (key, endsAt) => {
          await soundKeys.addPending(key, endsAt);
          await new Promise(setImmediate);
          order.push(["pending", key, endsAt]);
        },
      },
      sounds: {
        create: (key, announced) => {
          order.push(["created", key, announced]);
          return sounds.create(key, announced);
        },
      },
    });
    const [key] = await storedKeys(relay.cases);
    const announced = {
      bytes: WAV.byteLength,
      sha256: expect.stringMatching(/^[\da-f]{64}$/),
    };
    expect(order).toEqual([
      ["pending", key, PENDING_ENDS],
      ["created", key, announced],
    ]);
  });

  test("[J2] that can't be recorded never reaches the store", async () => {
    await using relay = await openUpload();
    const uploading = uploadWith(relay, {
      soundKeys: { addPending: () => Promise.reject(new Error("The database is away.")) },
      sounds: { create: () => Promise.reject(new Error("Something was created.")) },
    });
    await expect(uploading).rejects.toThrow("The database is away.");
  });

  test("[J2] that is doomed while the upload runs is refused, with the advice to send it again", async () => {
    await using relay = await openUpload();
    const { soundKeys } = relay.cases.context;
    const last = async () => {
      await soundKeys.doom({ endedBy: Number.MAX_SAFE_INTEGER });
      return Uint8Array.from(WAV.subarray(60));
    };
    const pieces = [Uint8Array.from(WAV.subarray(0, 60)), last];
    await expect(relay.put({ pieces })).rejects.toMatchObject({
      code: "UPLOAD_STALLED",
      status: 408,
      message: "kick.wav: the upload was interrupted. Send it again.",
    });
    expect((await recordOf(relay.cases, relay.packageId)).uploaded.size).toBe(0);
    await expectNothingLeft(relay);
    await relay.put();
  });

  test("[J2] that is doomed and swept while the upload runs doesn't come back", async () => {
    await using relay = await openUpload();
    const { cases } = relay;
    const last = async () => {
      cases.clock.time = PENDING_ENDS;
      await sweep(anotherProcess(cases));
      return Uint8Array.from(WAV.subarray(60));
    };
    const pieces = [Uint8Array.from(WAV.subarray(0, 60)), last];
    await expect(relay.put({ pieces })).rejects.toThrow();
    await expectNothingLeft(relay);
  });
});

describe("another process that starts and sweeps", () => {
  test("[J2] leaves an upload alone at every moment of it", async () => {
    await using relay = await openUpload();
    const { cases, app, packageId } = relay;
    const { packages } = cases.context;
    let sweeps = 0;
    const sweepThere = async () => {
      sweeps += 1;
      await sweep(anotherProcess(cases));
    };
    const create = createWith(cases, (writer) => ({
      finish: async () => {
        await sweepThere();
        await writer.finish();
        await sweepThere();
      },
    }));
    await uploadWith(relay, {
      sounds: {
        create: async (...args) => {
          await sweepThere();
          const writer = await create(...args);
          await sweepThere();
          return writer;
        },
      },
      packages: { addFile: (added) => sweepThere().then(() => packages.addFile(added)) },
    });
    expect(sweeps).toBe(5);
    await sweepThere();
    await commitPackage(cases.context, app, packageId);
    cases.clock.time = PENDING_ENDS;
    await sweepThere();
    const { read } = await findDownload(cases.context, app.deviceId, packageId, "kick.wav");
    const bytes = await buffer(await read({ start: 0, end: WAV.byteLength - 1 }));
    expect(bytes.equals(WAV)).toBe(true);
  });
});

/** The points at which a process can die while it uploads: the call that never returns. */
const DEATHS: Record<
  string,
  (die: () => Promise<never>, create: SoundStore["create"]) => Parameters<typeof withFaults>[1]
> = {
  "before its key is recorded": (die) => ({ soundKeys: { addPending: die } }),
  "before its first byte": (die) => ({ sounds: { create: die } }),
  "before the sound is finished": (_, create) => ({ sounds: { create } }),
  "between the sound and its record": (die) => ({ packages: { addFile: die } }),
};

/** Uploads in a process that dies on the way. Disposing closes what a dead process has not open any more. */
async function dieIn(relay: Opened, faultsOf: (typeof DEATHS)[string]): Promise<AsyncDisposable> {
  const { die, reached } = death();
  const writers: SoundWriter[] = [];
  const create = createWith(relay.cases, (writer) => {
    writers.push(writer);
    return { finish: die };
  });
  void uploadWith(relay, faultsOf(die, create));
  await reached;
  return {
    [Symbol.asyncDispose]: async () => {
      for (const writer of writers) await writer.discard();
    },
  };
}

describe("an upload whose process dies", () => {
  test.each(Object.entries(DEATHS))("[J2] %s leaves nothing for ever", async (_, faultsOf) => {
    await using relay = await openUpload();
    const { cases } = relay;
    await using _dead = await dieIn(relay, faultsOf);
    const restarted = anotherProcess(cases);
    const left = await storedKeys(cases);
    cases.clock.time = PENDING_ENDS - 1;
    await sweep(restarted);
    expect(await storedKeys(cases)).toEqual(left);
    cases.clock.time = PENDING_ENDS;
    await sweep(restarted);
    await expectNothingLeft(relay);
  });

  test.each(Object.entries(DEATHS))(
    "[J2] %s leaves nothing after a start that has the stores to itself",
    async (_, faultsOf) => {
      await using relay = await openUpload();
      await relay.put();
      const kept = await storedKeys(relay.cases);
      await using _dead = await dieIn(relay, faultsOf);
      const restarted = anotherProcess(relay.cases);
      await restarted.soundKeys.doom({ endedBy: Number.MAX_SAFE_INTEGER });
      await sweep(restarted);
      expect(await storedKeys(relay.cases)).toEqual(kept);
      expect(await doomedKeys(relay.cases)).toEqual([]);
    },
  );

  test("[J2] after its record was written loses nothing", async () => {
    await using relay = await openUpload();
    const { cases, app, packageId } = relay;
    const { die, reached } = death();
    const { packages } = cases.context;
    const addFile: typeof packages.addFile = (added) => packages.addFile(added).then(die);
    void uploadWith(relay, { packages: { addFile } });
    await reached;
    const restarted = anotherProcess(cases);
    await restarted.soundKeys.doom({ endedBy: Number.MAX_SAFE_INTEGER });
    await sweep(restarted);
    await commitPackage(restarted, app, packageId);
    const { uploaded } = await recordOf(cases, packageId);
    expect(await storedKeys(cases)).toEqual([...uploaded.values()]);
  });
});

describe("an upload that fails", () => {
  test("[J2] after its record may have been written deletes nothing that the record has", async () => {
    await using relay = await openUpload();
    const { cases, app, packageId } = relay;
    const { packages } = cases.context;
    const uploading = uploadWith(relay, {
      packages: {
        addFile: async (added) => {
          await packages.addFile(added);
          throw new Error("The answer was lost.");
        },
      },
    });
    await expect(uploading).rejects.toThrow("The answer was lost.");
    await commitPackage(cases.context, app, packageId);
    cases.clock.time = PENDING_ENDS;
    await sweep(cases.context);
    const { uploaded } = await recordOf(cases, packageId);
    expect(await storedKeys(cases)).toEqual([...uploaded.values()]);
  });

  test("[J2] before its record was written is swept when its time is over", async () => {
    await using relay = await openUpload();
    const addFile = () => Promise.reject(new Error("The database is away."));
    await expect(uploadWith(relay, { packages: { addFile } })).rejects.toThrow("is away");
    expect(await storedKeys(relay.cases)).toHaveLength(1);
    relay.cases.clock.time = PENDING_ENDS;
    await sweep(relay.cases.context);
    await expectNothingLeft(relay);
  });

  test("[J2] and whose bytes can't be deleted is refused as ever, and swept later", async () => {
    await using relay = await openUpload();
    const { cases, app, packageId } = relay;
    const faulty = withFaults(cases, {
      packages: { addFile: async () => ({ kind: "key-gone" }) },
      sounds: { delete: () => Promise.reject(new Error("The disk is away.")) },
    });
    const uploading = upload(faulty, app, packageId);
    await expect(uploading).rejects.toMatchObject({ code: "UPLOAD_STALLED" });
    expect(await storedKeys(cases)).toHaveLength(1);
    cases.clock.time = PENDING_ENDS;
    await sweep(cases.context);
    await expectNothingLeft(relay);
  });

  test("[J2] and whose writer can't be discarded is refused as ever, and nothing of it stays", async () => {
    await using relay = await openUpload();
    const { cases, app, packageId } = relay;
    const create = createWith(cases, (writer) => ({
      discard: async () => {
        await writer.discard();
        throw new Error("The disk is away.");
      },
    }));
    const faulty = withFaults(cases, { sounds: { create } });
    const pieces = [new Uint8Array(WAV.byteLength)];
    const uploading = upload(faulty, app, packageId, { pieces });
    await expect(uploading).rejects.toMatchObject({ status: 422 });
    await cases.context.soundKeys.doom({ endedBy: Number.MAX_SAFE_INTEGER });
    await expectNothingLeft(relay);
  });

  test.each(["its bytes", "its end"])(
    "[J2] by %s ends its writer and leaves no key on record",
    async (what) => {
      await using relay = await openUpload();
      const { cases, app, packageId } = relay;
      let discards = 0;
      const create = createWith(cases, (writer) => ({
        discard: () => {
          discards += 1;
          return writer.discard();
        },
        ...(what === "its end" && { finish: () => Promise.reject(new Error("No disk.")) }),
      }));
      const faulty = withFaults(cases, { sounds: { create } });
      const pieces = [what === "its end" ? Uint8Array.from(WAV) : new Uint8Array(WAV.byteLength)];
      await expect(upload(faulty, app, packageId, { pieces })).rejects.toThrow();
      expect(discards).toBe(1);
      await cases.context.soundKeys.doom({ endedBy: Number.MAX_SAFE_INTEGER });
      await expectNothingLeft(relay);
    },
  );
});
