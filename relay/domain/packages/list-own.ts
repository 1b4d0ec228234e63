import { MAX_PAGE_PACKAGES } from "../../../core/limits.ts";
import { readableUntil, statusOf } from "../../../core/protocol/package-state.ts";
import { PACKAGE_STATUSES, type PackageStatus } from "../../../core/protocol/package-status.ts";
import type { OwnPackage, OwnPackagesAnswer } from "../../../core/protocol/public-api.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import type { Context } from "../context.ts";
import type { KnownApp } from "../pairing/known-tokens.ts";
import type { PackageHead } from "../ports.ts";
import { readManifests } from "./read-manifests.ts";
import { statusHead, timesOf } from "./read-status.ts";

/**
 * The most steps of a page. An app that looks for few packages among many gets an empty page, and a cursor to continue
 * from.
 */
const MOST_STEPS = 10;

/** An app's request for a page of its packages. */
interface OwnListRequest {
  /** The cursor that the page before returned; empty for the first page. */
  readonly after: string;
  /** Names of statuses with commas between; undefined for all. */
  readonly status: string | undefined;
}

/**
 * Lists one page of an app's own packages whose status can still be read, newest first (rule S7): at most
 * `MAX_PAGE_PACKAGES`, and fewer if the others have another status. Reads each step in its turn.
 * @throws {Refusal} 422 CURSOR_WRONG or STATUS_WRONG
 */
export async function listOwn(
  context: Context,
  app: KnownApp,
  { after, status }: OwnListRequest,
): Promise<OwnPackagesAnswer> {
  const wanted = parseStatuses(status);
  const packages: OwnPackage[] = [];
  let next: string | null = after;
  for (let step = 0; step < MOST_STEPS && next !== null; step += 1) {
    const left = MAX_PAGE_PACKAGES - packages.length;
    if (left === 0) break;
    const from: string = next;
    const read = await context.admission.turns.take(() => readStep(context, app, from, left));
    next = read.next;
    const now = context.clock.confirmedNow();
    const heads = read.heads.filter((head) => wanted.has(statusOf(head, now)));
    for await (const own of ownPackages(context, heads)) packages.push(own);
  }
  return { packages, next };
}

/** Reads the heads of one step, and the cursor of the next; null at the end of the list. */
async function readStep(context: Context, app: KnownApp, from: string, limit: number) {
  const after = from === "" ? undefined : from;
  // One more says whether there is another step.
  const heads = await context.packages.list(app, { after, limit: limit + 1 });
  if (heads === undefined) throw refusal("CURSOR_WRONG", {}, { about: { field: "after" } });
  const now = context.clock.confirmedNow();
  const { statusWindowMs } = context.policy;
  const read = heads.slice(0, limit);
  return {
    heads: read.filter(({ life }) => now < readableUntil(life, statusWindowMs)),
    next: heads.length > limit ? (read.at(-1)?.cursor ?? null) : null,
  };
}

/** Reads the entries of packages, in their turns. Leaves out those that were withdrawn meanwhile. */
async function* ownPackages(
  context: Context,
  heads: readonly PackageHead[],
): AsyncGenerator<OwnPackage, void, void> {
  const headOf = new Map(heads.map((head) => [head.packageId, head]));
  const manifests = readManifests(context, [...headOf.keys()]);
  for (;;) {
    const next = await context.admission.turns.take(() => manifests.next());
    if (next.done === true) return;
    const { packageId, manifest } = next.value;
    const head = headOf.get(packageId);
    if (head !== undefined) yield statusHead(head, manifest.title, timesOf(context));
  }
}

function parseStatuses(text: string | undefined): ReadonlySet<PackageStatus> {
  if (text === undefined) return new Set(PACKAGE_STATUSES);
  const names = new Set(text.split(","));
  const known = PACKAGE_STATUSES.filter((status) => names.has(status));
  if (known.length < names.size) throw refusal("STATUS_WRONG", {}, { about: { field: "status" } });
  return new Set(known);
}
