import { refuseUpload } from "../../../core/protocol/package-state.ts";
import type { Refusal } from "../../../core/protocol/refusal.ts";
import type { Context } from "../context.ts";
import { refuseWhileFull } from "./full-disk.ts";
import type { PackageRecord } from "../ports.ts";
import { refuseDeleted } from "../packages/update-package.ts";

/** The refusal of bytes for a package, before and while they come; undefined if it may get them now. */
export function refuseBytes(context: Context, record: PackageRecord): Refusal | undefined {
  return refuseFile(context, record) ?? refuseWhileFull(context);
}

/** The same for a file whose bytes are stored: a full disk is no reason any more. */
export function refuseFile({ clock }: Context, record: PackageRecord): Refusal | undefined {
  return refuseUpload(record.life, clock.provenNow()) ?? refuseDeleted(record);
}
