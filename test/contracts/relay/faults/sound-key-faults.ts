import {
  isQuarantinedOf,
  quarantinedOf,
  type RecordStore,
} from "../../../../relay/domain/ports.ts";
import { type FaultOf, inRecords, replacing } from "./planted-fault.ts";

const PAGE = 100;

/** Faults of a database with the keys of sounds. */
export const SOUND_KEY_FAULTS: readonly FaultOf<"records">[] = [
  {
    name: "deleted pending key",
    port: "records",
    does: "A key whose upload ended is forgotten, instead of doomed: its bytes are never deleted.",
    caughtBy: ["[J2] dooms the pending keys that have ended, and no key of a package"],
    plant: inRecords(() => {
      const pending = new Map<string, number>();
      return ({ soundKeys }) => ({
        soundKeys: replacing(soundKeys, {
          addPending: async (key, endsAt) => {
            await soundKeys.addPending(key, endsAt);
            pending.set(key, endsAt);
          },
          doom: async (keys) => {
            if ("partial" in keys) return soundKeys.doom(keys);
            const ended = [...pending].filter(([, endsAt]) => endsAt <= keys.endedBy);
            await soundKeys.remove(ended.map(([key]) => key));
          },
        }),
      });
    }),
  },
  {
    name: "partials end with the process",
    port: "records",
    does: "A start dooms partials like every pending key: what came of a file is lost.",
    caughtBy: ["[J2][U10] a partial is doomed at its own end, which may be a later one"],
    plant: inRecords(() => ({ soundKeys }) => ({
      soundKeys: replacing(soundKeys, {
        doom: (keys) => soundKeys.doom("partial" in keys ? keys : { endedBy: keys.endedBy }),
      }),
    })),
  },
  {
    name: "uncounted parts",
    port: "records",
    does: "Bytes that came of a file don't count for their address until the file is whole.",
    caughtBy: ["[L4][U10] its bytes count for their address's day as they come"],
    plant: inRecords(() => ({ soundKeys }) => ({
      soundKeys: replacing(soundKeys, {
        keepPartial: (partial) =>
          soundKeys.keepPartial({ ...partial, received: { ...partial.received, bytes: 0 } }),
      }),
    })),
  },
  {
    name: "partial of a package that is gone",
    port: "records",
    does: "A key becomes a partial though its package was withdrawn meanwhile: the partial stays for an hour.",
    caughtBy: [
      "[Z15] a key becomes a partial only while it is pending, and its package takes files",
    ],
    plant: inRecords(() => ({ soundKeys }) => ({
      soundKeys: replacing(soundKeys, {
        beginPartial: async (partial) => (await soundKeys.beginPartial(partial)) || true,
      }),
    })),
  },
  {
    name: "forgotten quarantine",
    port: "records",
    does: "A withdrawal leaves what the quarantine has of its package.",
    caughtBy: [
      "[Z14] a withdrawal, an unpairing and the removal of a device doom what the quarantine has",
    ],
    plant: inRecords(() => ({ packages, soundKeys }) => ({
      packages: replacing(packages, {
        remove: async (packageId, version, isWithdrawn) => {
          const removed = await packages.remove(packageId, version, isWithdrawn);
          await soundKeys.remove([quarantinedOf(packageId)]);
          return removed && { doomed: removed.doomed.filter((key) => !isQuarantinedOf(key)) };
        },
      }),
    })),
  },
  {
    name: "doomed key served",
    port: "records",
    does: "A doomed key becomes part of a package again, though its bytes are being deleted.",
    caughtBy: ["[J2] a key becomes part of a package only while it is pending"],
    plant: inRecords(() => ({ packages, soundKeys }) => ({
      packages: replacing(packages, {
        addFile: async (added) => {
          const outcome = await packages.addFile(added);
          const doomed = await allDoomed({ soundKeys });
          if (outcome.kind !== "key-gone" || !doomed.includes(added.key)) return outcome;
          await soundKeys.remove([added.key]);
          await soundKeys.addPending(added.key, Number.MAX_SAFE_INTEGER);
          return packages.addFile(added);
        },
      }),
    })),
  },
];

async function allDoomed({ soundKeys }: Pick<RecordStore, "soundKeys">): Promise<string[]> {
  const all: string[] = [];
  for (;;) {
    const page = await soundKeys.list({ state: "doomed", after: all.at(-1), limit: PAGE });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}
