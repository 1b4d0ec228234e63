import { filesEndAt } from "../../../core/protocol/package-state.ts";
import type { Context } from "../../../relay/domain/context.ts";
import type { PackageRecord } from "../../../relay/domain/ports.ts";
import { replacing } from "../../contracts/relay/faults/planted-fault.ts";

/** A way to break the life of packages, and the context in which it is broken so. */
export interface LifeFault {
  readonly name: string;
  readonly plant: (context: Context) => Context;
}

const HOUR = 3_600_000;

/** Ten ways to break the life of packages. The model must notice each. */
export const LIFE_FAULTS: readonly LifeFault[] = [
  storing("a report leaves the lease", (record, before) => ({
    ...record,
    life: { ...record.life, lease: record.life.lease ?? before.life.lease },
  })),
  storing("an outcome is never replaced", (record, before) => ({
    ...record,
    life: { ...record.life, outcome: before.life.outcome ?? record.life.outcome },
  })),
  storing("a second commit starts the wait again", (record) =>
    record.life.lease !== null && record.life.waitEndsAt !== null
      ? { ...record, life: { ...record.life, waitEndsAt: record.life.waitEndsAt + HOUR } }
      : record,
  ),
  {
    name: "an upload drops the other file",
    plant: ({ packages, ...context }) => ({
      ...context,
      packages: replacing(packages, {
        addFile: async (added) => {
          const outcome = await packages.addFile(added);
          const record = await packages.find(added.packageId);
          const uploaded = new Map([[added.sound.file, added.key]]);
          if (record !== undefined && outcome.kind === "added") {
            await packages.update({ ...record, uploaded });
          }
          return outcome;
        },
      }),
    }),
  },
  {
    name: "a lease is not kept",
    plant: (context) => ({
      ...context,
      packages: replacing(context.packages, {
        update: (record) =>
          context.packages.update({ ...record, life: { ...record.life, lease: null } }),
      }),
    }),
  },
  {
    name: "deleted sounds stay",
    plant: (context) => ({
      ...context,
      sounds: replacing(context.sounds, { delete: async () => {} }),
    }),
  },
  {
    name: "a withdrawn package stays",
    plant: (context) => ({
      ...context,
      packages: replacing(context.packages, {
        remove: async (packageId, version) => {
          const record = await context.packages.find(packageId);
          const isOver = record !== undefined && context.clock.now() >= filesEndAt(record.life);
          return isOver ? context.packages.remove(packageId, version) : { doomed: [] };
        },
      }),
    }),
  },
  {
    name: "a write ignores what happened since it was read",
    plant: (context) => ({
      ...context,
      packages: replacing(context.packages, {
        update: async (record) => {
          const outcome = await context.packages.update(record);
          const stored = await context.packages.find(record.packageId);
          if (outcome !== "changed" || stored === undefined) return outcome;
          return context.packages.update({ ...record, version: stored.version });
        },
      }),
    }),
  },
  {
    name: "an importer sees the packages of every computer",
    plant: (context) => {
      const devices = new Set<string>();
      return {
        ...context,
        packages: replacing(context.packages, {
          list: async (of, page) => {
            if ("appId" in of) return context.packages.list(of, page);
            devices.add(of.deviceId);
            const lists = [...devices].map((deviceId) =>
              context.packages.list({ ...of, deviceId }, page),
            );
            return (await Promise.all(lists)).flatMap((heads) => heads ?? []);
          },
        }),
      };
    },
  },
  {
    name: "a replaced file is deleted together with the new one",
    plant: (context) => {
      const keys = new Map<string, string[]>();
      return {
        ...context,
        soundKeys: replacing(context.soundKeys, {
          addPending: async (key, endsAt) => {
            const [packageId = ""] = key.split("/");
            keys.set(packageId, [...(keys.get(packageId) ?? []), key]);
            await context.soundKeys.addPending(key, endsAt);
          },
        }),
        sounds: replacing(context.sounds, {
          delete: (doomed) =>
            context.sounds.delete(doomed.flatMap((key) => keys.get(key.split("/")[0] ?? "") ?? [])),
        }),
      };
    },
  },
];

/** A store that writes something else than it was given. */
function storing(
  name: string,
  change: (record: PackageRecord, before: PackageRecord) => PackageRecord,
): LifeFault {
  return {
    name,
    plant: (context) => ({
      ...context,
      packages: replacing(context.packages, {
        update: async (record) => {
          const before = await context.packages.find(record.packageId);
          return context.packages.update(before === undefined ? record : change(record, before));
        },
      }),
    }),
  };
}
