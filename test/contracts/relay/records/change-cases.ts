import assert from "node:assert/strict";
import type { Eventually } from "../contract.ts";
import { claim, putCode } from "./code-cases.ts";
import { one, type OpenedRecords, two } from "./records-case.ts";
import { addFile, HOUR, insert, packageOf, pair, register, T0, updated } from "./sample-records.ts";
import { withKeys } from "./sound-key-cases.ts";

/** One kind of change, on a store with a paired device, a code, a package, and a pending and a doomed key. */
interface Change {
  readonly what: string;
  /** Makes the change. */
  readonly make: (records: OpenedRecords) => Promise<unknown>;
  /** Checks whether the change is seen; false before it. */
  readonly isSeen: (records: OpenedRecords) => Promise<boolean>;
  /** Set if a relay remembers what it changes, so that every store must notify it. */
  readonly isRemembered?: true;
}

const TOKEN = "device-1-app-1-token";

const PAIRING_CHANGES: readonly Change[] = [
  {
    what: "a registered device",
    make: (records) => register(records, "device-3"),
    isSeen: async ({ pairings }) => (await pairings.findDevice("device-3-token")) !== undefined,
  },
  {
    what: "a renamed device",
    isRemembered: true,
    make: ({ pairings }) => pairings.changeDevice("device-1", { deviceName: "Attic" }),
    isSeen: async ({ pairings }) =>
      (await pairings.findDevice("device-1-token"))?.deviceName === "Attic" &&
      (await pairings.findApp(TOKEN))?.deviceName === "Attic",
  },
  {
    what: "a removed device",
    isRemembered: true,
    make: ({ pairings }) => pairings.removeDevice("device-1"),
    isSeen: async ({ pairings, packages }) =>
      (await pairings.findDevice("device-1-token")) === undefined &&
      (await pairings.findApp(TOKEN)) === undefined &&
      (await packages.find("pkg_1")) === undefined,
  },
  {
    what: "a new code",
    make: ({ pairings }) => putCode(pairings, "device-1", "new code"),
    isSeen: async ({ pairings }) => (await claim(pairings, "new code", "token")) !== undefined,
  },
  {
    what: "a removed code",
    make: ({ pairings }) => pairings.setCode("device-2", null),
    isSeen: ({ pairings }) => putCode(pairings, "device-1", "code"),
  },
  {
    what: "a paired app",
    make: ({ pairings }) => claim(pairings, "code", "token"),
    isSeen: async ({ pairings }) =>
      (await pairings.findApp("token")) !== undefined &&
      (await pairings.listPairings("device-2")).length === 1,
  },
  {
    what: "a revoked token",
    isRemembered: true,
    make: ({ pairings }) => pairings.unpair({ tokenHash: TOKEN }, T0),
    isSeen: async ({ pairings }) => (await pairings.findApp(TOKEN)) === undefined,
  },
  {
    what: "an unpaired app",
    isRemembered: true,
    make: ({ pairings }) =>
      pairings.unpair({ deviceId: "device-1", pairingId: `pairing of ${TOKEN}` }, T0),
    isSeen: async ({ pairings, packages }) =>
      (await pairings.findApp(TOKEN)) === undefined &&
      (await pairings.listPairings("device-1")).length === 0 &&
      (await packages.find("pkg_1")) === undefined,
  },
];

const PACKAGE_CHANGES: readonly Change[] = [
  {
    what: "an announced package",
    make: (records) => insert(records, packageOf("pkg_2")),
    isSeen: async ({ packages }) => (await packages.find("pkg_2")) !== undefined,
  },
  {
    what: "a changed package",
    make: (records) => updated(records, withKeys(packageOf("pkg_1"), "pkg_1/pending")),
    isSeen: async ({ packages }) => (await packages.find("pkg_1"))?.version === 2,
  },
  {
    what: "a removed package",
    make: ({ packages }) => packages.remove("pkg_1", 1),
    isSeen: async ({ packages }) => (await packages.find("pkg_1")) === undefined,
  },
  {
    what: "a pending key",
    make: ({ soundKeys }) => soundKeys.addPending("pkg_1/new", T0 + HOUR),
    isSeen: async (records) =>
      (await addFile(records, packageOf("pkg_1"), "pkg_1/new")).kind === "added",
  },
  {
    what: "a doomed key",
    make: ({ soundKeys }) => soundKeys.doom({ endedBy: T0 + HOUR }),
    isSeen: async ({ soundKeys }) =>
      (await soundKeys.list({ state: "doomed", limit: 10 })).includes("pkg_1/pending"),
  },
  {
    what: "a removed key",
    make: ({ soundKeys }) => soundKeys.remove(["pkg_1/doomed"]),
    isSeen: async ({ soundKeys }) =>
      (await soundKeys.list({ state: "doomed", limit: 10 })).length === 0,
  },
];

const CHANGES = [...PAIRING_CHANGES, ...PACKAGE_CHANGES];

/** The promises of `StoreChanges` and of every read about a change, in this process and in another (rule J7). */
export const CHANGE_CASES = [
  ...CHANGES.map(({ what, make, isSeen }) =>
    one(
      `an instance sees ${what} of its own at once, also if it read what was before`,
      async (records) => {
        await prepare(records);
        assert.equal(await isSeen(records), false, `${what} is seen before it is made.`);
        await make(records);
        assert.equal(await isSeen(records), true, `${what} is not seen once it is made.`);
      },
    ),
  ),

  ...CHANGES.map((change) =>
    two(
      `[J7] another instance hears of ${change.what}, and then sees it`,
      (first, second, eventually) => assertHeard(change, first, second, eventually),
    ),
  ),

  two(
    "[J7] an instance sees what another one changes, also if it watches nothing",
    async (first, second, eventually) => {
      await prepare(first);
      for (const { isSeen, make, what } of [
        ...PAIRING_CHANGES.slice(0, 2),
        ...PACKAGE_CHANGES.slice(0, 2),
      ]) {
        assert.equal(await isSeen(second), false);
        await make(first);
        await eventually(`another instance sees ${what}.`, () => isSeen(second));
      }
    },
  ),

  two(
    "[J7] a watcher hears of every change, not only of the first",
    async (first, second, eventually) => {
      await register(first, "device-1");
      const looks: Promise<string | undefined>[] = [];
      const look = async () => (await second.pairings.findDevice("device-1-token"))?.deviceName;
      const stop = second.changes.watch(() => void looks.push(look()));
      for (const name of ["Attic", "Cellar", "Studio"]) {
        await first.pairings.changeDevice("device-1", { deviceName: name });
        const promise = `a watcher that reads the name when it is called sees ${name}.`;
        await eventually(promise, async () => (await Promise.all(looks)).includes(name));
      }
      stop();
      await Promise.all(looks);
    },
  ),

  two("[J7] a stopped watcher hears nothing", async (first, second, eventually) => {
    const heard = { stopped: 0, other: 0 };
    const stop = second.changes.watch(() => void (heard.stopped += 1));
    const stopOther = second.changes.watch(() => void (heard.other += 1));
    stop();
    stop();
    await prepare(first);
    await first.pairings.changeDevice("device-1", { deviceName: "Attic" });
    await eventually("a watcher hears of a change.", async () => heard.other > 0);
    stopOther();
    assert.equal(heard.stopped, 0, "A watcher that was stopped heard of a change.");
  }),
];

/** Asserts that reads after a watcher's calls show the change in the end. */
async function assertHeard(
  { what, make, isSeen, isRemembered }: Change,
  first: OpenedRecords,
  second: OpenedRecords,
  eventually: Eventually,
): Promise<void> {
  await prepare(first);
  await eventually("another instance sees the doomed key.", async () => {
    const doomed = await second.soundKeys.list({ state: "doomed", limit: 10 });
    return doomed.includes("pkg_1/doomed") && (await second.packages.find("pkg_1")) !== undefined;
  });
  assert.equal(await isSeen(second), false, `${what} is seen before it is made.`);
  if (second.changes.onlyRemembered === true && isRemembered !== true) {
    await make(first);
    await eventually(`another instance sees ${what}.`, () => isSeen(second));
    return;
  }
  const looks: Promise<boolean>[] = [];
  const stop = second.changes.watch(() => void looks.push(isSeen(second)));
  await make(first);
  await eventually(`a watcher that reads the state when it is called sees ${what}.`, async () =>
    (await Promise.all(looks)).includes(true),
  );
  stop();
  await Promise.all(looks);
}

async function prepare(records: OpenedRecords): Promise<void> {
  const { pairings, soundKeys } = records;
  await register(records, "device-1");
  await register(records, "device-2");
  await putCode(pairings, "device-2", "code");
  await pair(records, "device-1");
  await insert(records, packageOf("pkg_1"));
  await soundKeys.addPending("pkg_1/doomed", T0);
  await soundKeys.doom({ endedBy: T0 });
  await soundKeys.addPending("pkg_1/pending", T0 + HOUR);
}
