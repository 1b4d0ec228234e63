import type { CodeClaim, PackageRecord, PairingCode } from "../../../../relay/domain/ports.ts";
import { type FaultOf, inRecords, replacing } from "./planted-fault.ts";

const MOST_TRIES = 100;

/** Faults of a database. */
export const RECORDS_FAULTS: readonly FaultOf<"records">[] = [
  {
    name: "lost update",
    port: "records",
    does: "An update of an old version overwrites the newer one.",
    caughtBy: [
      "[S2] applies exactly one of many updates of one version",
      "[J5][S2] of updates of one version in two instances exactly one is applied",
    ],
    plant: inRecords(() => ({ packages }) => ({
      packages: replacing(packages, {
        update: async (record) => {
          let outcome = await packages.update(record);
          for (let tries = 0; outcome === "changed" && tries < MOST_TRIES; tries += 1) {
            const stored = await packages.find(record.packageId);
            if (stored === undefined) break;
            outcome = await packages.update({ ...record, version: stored.version });
          }
          return outcome;
        },
      }),
    })),
  },
  {
    name: "no time of an import",
    port: "records",
    does: "An update forgets when a run took the package and when it reported.",
    caughtBy: ["returns what was stored, hostile ids included"],
    plant: inRecords(() => ({ packages }) => ({
      packages: replacing(packages, {
        update: (record) => packages.update({ ...record, takenAt: null, reportedAt: null }),
      }),
    })),
  },
  {
    name: "another app's packages",
    port: "records",
    does: "An app's list has the packages that any app sent to its computer.",
    caughtBy: [
      "[S7] lists an app's own packages, newest announcement first, whatever became of them",
    ],
    plant: inRecords(() => ({ packages }) => ({
      packages: replacing(packages, {
        list: async (of, page) => {
          const own = await packages.list(of, page);
          if (!("appId" in of)) return own;
          const others = await packages.list({ ...of, appId: "app-2" }, page);
          return [...(own ?? []), ...(others ?? [])];
        },
      }),
    })),
  },
  {
    name: "forgotten announcements",
    port: "records",
    does: "What an app has used of its quotas lacks its announcements.",
    caughtBy: ["[A4][L1] tells what an app has used of its quotas"],
    plant: inRecords(() => ({ packages }) => ({
      packages: replacing(packages, {
        readHour: async (owner, now) => ({
          ...(await packages.readHour(owner, now)),
          announcements: 0,
        }),
      }),
    })),
  },
  {
    name: "a day for each import",
    port: "records",
    does: "Each import counts as a day of its own, so a device is proven within a minute.",
    caughtBy: ["[L7] remembers on how many days a device imported, in order"],
    plant: inRecords(() => ({ pairings }) => {
      let later = 0;
      return {
        pairings: replacing(pairings, {
          changeDevice: async (id, { importDay: day, ...more }) =>
            pairings.changeDevice(id, day === undefined ? more : { importDay: day + later++ }),
        }),
      };
    }),
  },
  {
    name: "stale read after commit",
    port: "records",
    does: "The first read after an update answers what was stored before it.",
    caughtBy: ["shows the result of a resolved call to every later one"],
    plant: inRecords(() => ({ packages }) => {
      const stale = new Map<string, PackageRecord>();
      return {
        packages: replacing(packages, {
          update: async (record) => {
            const before = await packages.find(record.packageId);
            const outcome = await packages.update(record);
            if (outcome === "updated" && before !== undefined) stale.set(before.packageId, before);
            return outcome;
          },
          find: async (packageId) => {
            const before = stale.get(packageId);
            stale.delete(packageId);
            return before ?? packages.find(packageId);
          },
        }),
      };
    }),
  },
  {
    name: "double claim",
    port: "records",
    does: "A code that was claimed can be claimed again.",
    caughtBy: [
      "[P4] a code pairs once, and returns the computer's name to the app",
      "[P4] exactly one of many concurrent claims of one code pairs",
      "[J5][P4] of claims of one code in two instances exactly one pairs",
    ],
    plant: inRecords(() => {
      const codes = new Map<string, PairingCode & { readonly deviceId: string }>();
      return ({ pairings }) => ({
        pairings: replacing(pairings, {
          setCode: async (deviceId, code) => {
            const isSet = await pairings.setCode(deviceId, code);
            if (isSet && code !== null) codes.set(code.codeHash, { ...code, deviceId });
            return isSet;
          },
          claimCode: async (claim: CodeClaim) => {
            const paired = await pairings.claimCode(claim);
            const code = codes.get(claim.codeHash);
            if (paired !== undefined || code === undefined || claim.now >= code.expiresAt) {
              return paired;
            }
            await pairings.setCode(code.deviceId, { ...code, now: claim.now });
            return pairings.claimCode(claim);
          },
        }),
      });
    }),
  },
  {
    name: "repeated for ever",
    port: "records",
    does: "A claim can be repeated at any time, also by a call that was overtaken.",
    caughtBy: [
      "[P13] a claim is repeated with its own hash, and only in time",
      "[P13] a call that was overtaken takes no token from a later one",
    ],
    plant: inRecords(() => ({ pairings }) => ({
      pairings: replacing(pairings, {
        repeatClaim: async (repeat) => {
          const late = Number.MAX_SAFE_INTEGER;
          return pairings.repeatClaim({ ...repeat, now: 0, arrivedAt: late, latestEnd: late });
        },
      }),
    })),
  },
  {
    name: "quota off by one",
    port: "records",
    does: "Every quota lets one more through.",
    caughtBy: [
      "[L1] concurrent packages get no more than the limit",
      "[J5][L1] of 100 announcements in two instances exactly one gets the last place in the hour",
      "[L2] a device has a maximum of waiting packages, and only waiting ones count",
      "[L2] a device has a maximum of bytes in packages whose files exist",
      "[L4] an address may send a maximum of bytes in any 24 hours",
      "[U6] an announcement reserves room: what others still have to upload is subtracted",
      "[U9] a device, an address and a crowded relay's networks reserve only their share",
    ],
    plant: inRecords(() => ({ packages }) => ({
      packages: replacing(packages, {
        insert: (record, options) => {
          const { roomBytes, unfilledPerApp, unfilledPerAddress, ...quotas } = options.quotas;
          return packages.insert(record, {
            ...options,
            quotas: {
              packagesPerHour: quotas.packagesPerHour + 1,
              waitingPerDevice: quotas.waitingPerDevice + 1,
              bytesPerDevice: quotas.bytesPerDevice + 1,
              bytesPerAddressPerDay: quotas.bytesPerAddressPerDay + 1,
              unfilledPerApp: unfilledPerApp + 1,
              unfilledPerAddress: unfilledPerAddress + 1,
              uncrowdedBytes: quotas.uncrowdedBytes + 1,
              roomBytes: roomBytes === "unknown" ? roomBytes : roomBytes + 1,
            },
          });
        },
      }),
    })),
  },
  {
    name: "room made a millisecond early",
    port: "records",
    does: "Making room takes a package whose lease ends a millisecond later.",
    caughtBy: ["[L12] no package goes under a live lease, at its exact millisecond"],
    plant: inRecords(() => ({ packages }) => ({
      packages: replacing(packages, {
        dropSpares: (asked) => packages.dropSpares({ ...asked, now: asked.now + 1 }),
      }),
    })),
  },
  {
    name: "room held for ever",
    port: "records",
    does: "What a package reserved stays reserved until its upload window ends.",
    caughtBy: [
      "[U6] room lapses at its time; what is uploaded counts on",
      "[U6] an upload whose room has lapsed asks for it again, and may get none",
    ],
    plant: inRecords(() => ({ packages }) => ({
      packages: replacing(packages, {
        insert: (record, options) => {
          const until = record.life.uploadEndsAt;
          return packages.insert(
            { ...record, room: record.room && { ...record.room, until } },
            options,
          );
        },
      }),
    })),
  },
  {
    name: "received bytes not counted",
    port: "records",
    does: "A file becomes part of a package, and its bytes don't count for the address's day.",
    caughtBy: [
      "[L4] an address may send a maximum of bytes in any 24 hours",
      "[L4] a file that is replaced counts each time it is sent",
    ],
    plant: inRecords(() => ({ packages }) => ({
      packages: replacing(packages, {
        addFile: (added) =>
          packages.addFile({ ...added, received: { ...added.received, bytes: 0 } }),
      }),
    })),
  },
  {
    name: "lost file refused",
    port: "records",
    does: "A package that waits doesn't take a file again that it lost.",
    caughtBy: ["[Z2] a package that waits takes a file that it lost, and no other"],
    plant: inRecords(() => ({ packages }) => ({
      packages: replacing(packages, {
        addFile: async (added) => {
          const record = await packages.find(added.packageId);
          const isWaiting = (record?.life.committedAt ?? null) !== null;
          return isWaiting ? { kind: "changed" } : packages.addFile(added);
        },
      }),
    })),
  },
  {
    name: "notification of a change lost for ever",
    port: "records",
    does: "A watcher hears of the first change, and of none after it.",
    caughtBy: ["[J7] a watcher hears of every change, not only of the first"],
    plant: inRecords(() => ({ changes }) => ({
      changes: replacing(changes, {
        watch: (changed) => {
          let hasHeard = false;
          return changes.watch(() => {
            if (hasHeard) return;
            hasHeard = true;
            changed();
          });
        },
      }),
    })),
  },
];
