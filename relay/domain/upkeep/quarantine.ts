import { deleteDoomed, type Deletion } from "./doomed-sounds.ts";
import type { Context } from "../context.ts";
import { quarantines } from "../ports.ts";

type Erasure = Deletion & Pick<Context, "packages">;

/**
 * Runs what removes packages, and then deletes what the quarantine has of those that are gone (rule Z4): erasing
 * means every copy.
 * @param packageId the only package that it may remove; without it, any
 */
export async function erasingQuarantined<Result>(
  context: Erasure,
  remove: () => Promise<Result>,
  packageId?: string,
): Promise<Result> {
  const aside = await quarantinedByPackage(context, packageId);
  const known: string[] = [];
  for (const id of aside.keys()) {
    if ((await context.packages.find(id)) !== undefined) known.push(id);
  }
  const result = await remove();
  try {
    for (const id of known) await eraseIfGone(context, id, aside.get(id) ?? []);
  } catch {
    // The removal is durable. What is left is deleted after its time in the quarantine.
  }
  return result;
}

/** They are recorded as pending until now, so that a sweep dooms and deletes what can't be deleted at once. */
async function eraseIfGone(
  context: Erasure,
  packageId: string,
  keys: readonly string[],
): Promise<void> {
  const { packages, upkeep, soundKeys } = context;
  if ((await packages.find(packageId)) !== undefined) return;
  const unknown = (await upkeep?.findUnknown(keys)) ?? [];
  // A database that is full can't record them. Their bytes may be deletable nevertheless.
  await Promise.allSettled(unknown.map((key) => soundKeys.addPending(key, 0)));
  await deleteDoomed(context, unknown);
}

async function quarantinedByPackage(
  { sounds }: Pick<Context, "sounds">,
  only: string | undefined,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const keys = new Map<string, string[]>();
  if (!quarantines(sounds)) return keys;
  for await (const { key } of sounds.listQuarantined(only)) {
    const [packageId = ""] = key.split("/");
    const others = keys.get(packageId);
    if (others === undefined) keys.set(packageId, [key]);
    else others.push(key);
  }
  return keys;
}
