import { commit, statusOf } from "../../../core/protocol/package-state.ts";
import { MAX_ERROR_UNITS } from "../../../core/limits.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { shorten } from "../../../core/text/shorten.ts";
import { findOwnPackage, notifyPackage, updatePackage } from "./update-package.ts";
import type { Context } from "../context.ts";
import { dropLost } from "../upkeep/reconcile.ts";
import type { Owner, PackageRecord } from "../ports.ts";

/**
 * Ends the upload: from now on the package is ready to import (rule S1). Asks the store for each file. Those that
 * it lost are missing from then on, and can be uploaded again (rule Z2).
 * @throws {Refusal} 409 FILES_MISSING with every missing name, 409 PACKAGE_EXPIRED, 422 SOUND_DENIED, 404
 */
export async function commitPackage(
  context: Context,
  owner: Owner,
  packageId: string,
): Promise<PackageRecord> {
  const { before, after } = await updatePackage(
    context,
    () => findOwnPackage(context, owner, packageId),
    async (record, now) => {
      const confirmedNow = context.clock.confirmedNow();
      const status = statusOf(record, confirmedNow);
      if (status === "expired") throw refusal("PACKAGE_EXPIRED");
      if (status === "uploading") await refuseIncomplete(context, record);
      const life = commit(record.life, now, context.policy.waitWindowMs, confirmedNow);
      return life === record.life ? record : { ...record, life };
    },
  );
  if (after !== before) await notifyPackage(context, after);
  return after;
}

/** Names a sound that the operator denies, or the files that have not arrived or were lost, in the manifest's order. */
async function refuseIncomplete(context: Context, record: PackageRecord): Promise<void> {
  const { manifest } = record;
  await context.operator.admitSounds(manifest);
  const uploaded = await dropLost(context, record, record.uploaded);
  const missing = manifest.items.map(({ file }) => file).filter((file) => !uploaded.has(file));
  if (missing.length > 0) throw filesMissing(missing);
}

/** `Missing: `, then as many whole names as fit, then how many more there are (rule E1). */
function filesMissing(missing: readonly string[]): Refusal {
  const sentence = (shown: number) => {
    const rest = missing.length - shown;
    return `Missing: ${missing.slice(0, shown).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
  };
  let shown = missing.length;
  while (shown > 1 && sentence(shown).length > MAX_ERROR_UNITS) shown -= 1;
  const whole = sentence(shown);
  const text = whole.length <= MAX_ERROR_UNITS ? whole : withNameShortened(missing);
  return new Refusal("FILES_MISSING", text, { body: { missing } });
}

function withNameShortened([first = "", ...rest]: readonly string[]): string {
  const end = rest.length > 0 ? ` and ${rest.length} more` : "";
  return `Missing: ${shorten(first, MAX_ERROR_UNITS - "Missing: ".length - end.length)}${end}`;
}
