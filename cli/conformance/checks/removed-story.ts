import type { Answer } from "../answer.ts";
import { assert, assertRefusal, assertStatus, listOf, partOf, show } from "../assert.ts";
import type { Check } from "../check.ts";
import type { Kit, TestApp, TestDevice } from "../kit.ts";
import { CALLS } from "../relay-calls.ts";
import { itemOf, manifestOf, smallSounds } from "../sounds.ts";
import { announcedBy, readMe } from "./own-computer.ts";
import { beginWait, dueAnswer, onceRevoked, settled } from "./waking.ts";

const SOUNDS = smallSounds("one.wav");
const SMALL_BYTES = SOUNDS.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
/** The size of a package that is announced and never sent. */
const LARGE_BYTES = 150_000_000;
/** The room may also be that of a disk, which others use as well. */
const OTHERS_BYTES = 10_000_000;

/** A computer with one app after another, until it is removed. */
interface RemovedStory {
  /** `room` of the first app: at first, with a large package announced, with that withdrawn. */
  readonly room: readonly unknown[];
  /** `room` of the first app: with a package uploading, then waiting, then withdrawn. */
  readonly places: readonly unknown[];
  /** True if the importer's list has the package of the app that unpaired itself, or of the one that its user unpaired. */
  readonly hasLeft: boolean;
  readonly hasUnpaired: boolean;
  readonly removed: Answer;
  readonly importerAfter: Answer;
  readonly woken: () => Answer;
  readonly meAfter: Answer;
}

/** Room of an app, and what becomes of packages and tokens when their app or computer goes. */
export const REMOVED_CHECKS: readonly Check[] = [
  {
    id: "room-bytes",
    rule: "A4",
    title: "an announcement takes its bytes from `bytes_left`, and a withdrawal gives them back",
    isLong: true,
    run: async (kit) => {
      const { room } = await removedStory(kit);
      const [before, announced, after] = bytesOf(room);
      assertNear(before - announced, LARGE_BYTES, "An announcement took from bytes_left");
      assertNear(after - announced, LARGE_BYTES, "A withdrawal gave back to bytes_left");
    },
  },
  {
    id: "room-waiting",
    rule: "A4",
    title: "a commit takes one from `waiting_left`, and a withdrawal gives it back",
    isLong: true,
    run: async (kit) => {
      const { places } = await removedStory(kit);
      const left = places.map((one) => Number(partOf(one, "waiting_left")));
      const [uploading = 0, waiting, withdrawn] = left;
      assert(
        waiting === uploading - 1 && withdrawn === uploading,
        `waiting_left is ${left.join(", then ")}: uploading, waiting, withdrawn.`,
      );
    },
  },
  {
    id: "unpair-leaves-waiting",
    rule: "A3",
    title: "an app that unpairs itself leaves its waiting packages",
    isLong: true,
    run: async (kit) => {
      assert((await removedStory(kit)).hasLeft, "The importer's list lacks its package.");
    },
  },
  {
    id: "unpair-by-the-user-removes",
    rule: "A3",
    title: "unpairing by the user removes the app's waiting packages",
    isLong: true,
    run: async (kit) => {
      assert(!(await removedStory(kit)).hasUnpaired, "The importer's list still has its package.");
    },
  },
  {
    id: "remove-computer",
    rule: "P8",
    title: "removing a computer revokes its token and its apps' tokens at once",
    isLong: true,
    run: async (kit) => {
      const { removed, importerAfter, meAfter } = await removedStory(kit);
      assertStatus(removed, 200);
      assertRefusal(importerAfter, "IMPORTER_UNKNOWN");
      assertRefusal(meAfter, "TOKEN_UNKNOWN");
    },
  },
  {
    id: "wait-computer-removed",
    rule: "S8",
    title: "removing the computer ends a wait at once, with 401",
    isLong: true,
    run: async (kit) => assertRefusal((await removedStory(kit)).woken(), "TOKEN_UNKNOWN"),
  },
];

function bytesOf(room: readonly unknown[]): [number, number, number] {
  const [before = NaN, announced = NaN, after = NaN] = room.map((one) =>
    Number(partOf(one, "bytes_left")),
  );
  return [before, announced, after];
}

function assertNear(bytes: number, wanted: number, what: string): void {
  assert(
    Math.abs(bytes - wanted) < OTHERS_BYTES,
    `${what} ${show(bytes)} bytes; expected ${wanted}.`,
  );
}

/** Runs once for all its checks. */
function removedStory(kit: Kit): Promise<RemovedStory> {
  return kit.share("removed story", async () => {
    const device = await kit.device("Conformance kit, removed");
    const { token } = device;
    const first = await kit.pair(device, "Conformance room");
    const room = await roomWhileAnnounced(kit, first);
    const places = await roomWhileWaiting(kit, first);
    const left = await waitingOf(kit, first);
    await kit.send(CALLS.unpair(), first.token);
    const second = await kit.pair(device, "Conformance unpaired");
    const gone = await waitingOf(kit, second);
    await unpairAll(kit, device);
    const packages = await kit.listed(device);
    const listed = new Set(packages.map((one) => partOf(one, "package_id")));
    const third = await kit.pair(device, "Conformance last");
    const waiting = await beginWait(kit, await announcedBy(kit, third), "?wait=30");
    const removed = await kit.send(CALLS.remove(), token);
    return {
      room,
      places,
      hasLeft: listed.has(left),
      hasUnpaired: listed.has(gone),
      removed,
      importerAfter: await onceRevoked(kit, () => kit.call("GET", "/importer/apps", { token })),
      woken: await settled(dueAnswer(kit, waiting)),
      meAfter: await onceRevoked(kit, () => readMe(kit, third.token)),
    };
  });
}

async function roomOf(kit: Kit, { token }: TestApp): Promise<unknown> {
  return partOf((await readMe(kit, token)).json, "room");
}

async function roomWhileAnnounced(kit: Kit, app: TestApp): Promise<readonly unknown[]> {
  const before = await roomOf(kit, app);
  const rest = { file: "rest.wav", bytes: LARGE_BYTES - SMALL_BYTES, sha256: "0".repeat(64) };
  const items = [...SOUNDS.map((sound) => itemOf(sound)), rest];
  const made = kit.packageOf(app, SOUNDS, await kit.announce(app, manifestOf(SOUNDS, { items })));
  const announced = await roomOf(kit, app);
  await kit.withdraw(made);
  return [before, announced, await roomOf(kit, app)];
}

async function roomWhileWaiting(kit: Kit, app: TestApp): Promise<readonly unknown[]> {
  const made = await announcedBy(kit, app);
  for (const sound of made.sounds) await kit.put(made, sound);
  const uploading = await roomOf(kit, app);
  await kit.commit(made);
  const waiting = await roomOf(kit, app);
  await kit.withdraw(made);
  return [uploading, waiting, await roomOf(kit, app)];
}

/** The id of a package of this app that waits. */
async function waitingOf(kit: Kit, app: TestApp): Promise<string> {
  const made = await announcedBy(kit, app);
  for (const sound of made.sounds) await kit.put(made, sound);
  await kit.commit(made);
  return made.id;
}

async function unpairAll(kit: Kit, { token }: TestDevice): Promise<void> {
  const listed = await kit.call("GET", "/importer/apps", { token });
  for (const app of listOf(listed.json, "apps")) {
    await kit.call("DELETE", `/importer/apps/${String(partOf(app, "pairing_id"))}`, { token });
  }
}
