import assert from "node:assert/strict";
import { SteppedCalls } from "../../../sim/stepped-calls.ts";
import { CONTINUES, DELETIONS, type Depth, RacedRelay, UPLOADS } from "./raced-relay.ts";

/** The answers to an upload whose package goes meanwhile. */
const REFUSED: ReadonlySet<number> = new Set([401, 404, 409]);

interface Race {
  readonly upload: string;
  readonly deletion: string;
  readonly depth: Depth;
}

/**
 * Has an upload and a deletion meet at every point: one of them is held before its first call, its second and so on,
 * while the other one runs to its end. Returns the number of points.
 * @throws {Error} which names the point, if an answer is wrong or something is left
 */
export async function walkRace(race: Race): Promise<number> {
  let points = 0;
  for (const held of ["upload", "deletion"] as const) {
    for (let at = 0; await meet(race, held, at); at += 1) points += 1;
  }
  return points;
}

/** Returns false if the held one ends before that point. */
async function meet(
  { upload, deletion, depth }: Race,
  held: "upload" | "deletion",
  at: number,
): Promise<boolean> {
  await using relay = await RacedRelay.open(depth);
  if (CONTINUES.has(upload)) await relay.begin();
  const calls = new SteppedCalls(at);
  const free = new SteppedCalls();
  const [send, remove] = [UPLOADS[upload], DELETIONS[deletion]];
  assert.ok(send && remove);
  const sending = () => send(relay, held === "upload" ? calls : free);
  const removing = () => remove(relay, held === "deletion" ? calls : free);
  const first = held === "upload" ? sending() : removing();
  const where = await Promise.race([calls.reached, first.then(() => undefined)]);
  if (where === undefined) return false;
  const other = held === "upload" ? removing() : sending();
  await other;
  calls.letGo();
  const [answer] = await Promise.all(held === "upload" ? [first, other] : [other, first]);
  const place = `${upload}, ${deletion}, held ${where} (${held} ${at})`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the upload's
  const { status, offset } = answer as { readonly status: number; readonly offset?: number };
  // An upload whose package went before its next call can't succeed any more. A look may lag behind another process (J7).
  const maySucceed = held === "deletion" || (upload === "HEAD" && deletion === "erasure");
  assert.ok((maySucceed && status === 200) || REFUSED.has(status), `${place}: answered ${status}`);
  assert.notEqual(offset, 0, `${place}: ${status} has an offset of what is gone`);
  assert.deepEqual(await relay.left(), [], `${place}: answered ${status}, and left`);
  return true;
}

/**
 * Kills the relay at every pair of points that an upload and a deletion have reached, in both orders. The next one
 * starts on the same stores and sweeps. Returns the number of kills.
 * @param isTried chooses among the pairs
 * @throws {Error} which names the points, if anything is left once the package is gone
 */
export async function walkKills(
  race: Race,
  isTried: (uploadAt: number, deletionAt: number) => boolean = () => true,
): Promise<number> {
  let kills = 0;
  for (const first of ["upload", "deletion"] as const) {
    const points = { upload: Infinity, deletion: Infinity };
    for (let uploadAt = 0; uploadAt < points.upload; uploadAt += 1) {
      for (let deletionAt = 0; deletionAt < points.deletion; deletionAt += 1) {
        if (!isTried(uploadAt, deletionAt)) continue;
        const ended = await kill(race, first, { upload: uploadAt, deletion: deletionAt });
        // A caller that ended before its point ends before all later ones, too.
        if (ended.deletion) points.deletion = Math.min(points.deletion, deletionAt + 1);
        if (ended.upload) points.upload = Math.min(points.upload, uploadAt + 1);
        kills += 1;
      }
    }
  }
  return kills;
}

/** Returns which of both had ended when the relay was killed. */
async function kill(
  { upload, deletion, depth }: Race,
  first: "upload" | "deletion",
  at: Readonly<Record<"upload" | "deletion", number>>,
): Promise<Readonly<Record<"upload" | "deletion", boolean>>> {
  await using relay = await RacedRelay.open(depth);
  if (CONTINUES.has(upload)) await relay.begin();
  const [send, remove] = [UPLOADS[upload], DELETIONS[deletion]];
  assert.ok(send && remove);
  const ended = { upload: false, deletion: false };
  const held: { readonly calls: SteppedCalls; readonly over: Promise<unknown> }[] = [];
  const places: string[] = [];
  for (const who of first === "upload" ? UPLOAD_FIRST : DELETION_FIRST) {
    const calls = new SteppedCalls(at[who]);
    const over = Promise.allSettled([who === "upload" ? send(relay, calls) : remove(relay, calls)]);
    const where = await Promise.race([calls.reached, over.then(() => undefined)]);
    ended[who] = where === undefined;
    places.push(`${who} ${where ?? "ended"} (${at[who]})`);
    held.push({ calls, over });
  }
  const isOrdered = !(await relay.hasPackage());
  await relay.restart();
  if (await relay.hasPackage()) await remove(relay, new SteppedCalls());
  // A restored backup may take a package for expired that its app has committed since.
  const mayStay = (left: string) =>
    !isOrdered && deletion === "expiry" && left.includes(".quarant");
  const left = (await relay.left()).filter((one) => !mayStay(one));
  for (const { calls } of held) calls.letGo();
  await Promise.all(held.map(({ over }) => over));
  assert.deepEqual(left, [], `${upload}, ${deletion}, killed at ${places.join(" and ")}: left`);
  return ended;
}

const UPLOAD_FIRST = ["upload", "deletion"] as const;
const DELETION_FIRST = ["deletion", "upload"] as const;
