import { isTaken, statusOf } from "../../../core/protocol/package-state.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import type { Context } from "../../../relay/domain/context.ts";
import { type PackageRecord } from "../../../relay/domain/ports.ts";
import { findPackage } from "../../../relay/domain/update-package.ts";
import { downloadWhole, type Remembered, type Sight, SOUNDS } from "./journey.ts";

/**
 * What tokens and packages show of those that were answered: `known` or `unknown`; `gone`, or a package's status with
 * the files that it has, and whether it is taken. Committed files are downloaded whole.
 */
export async function see(context: Context, remembered: Remembered): Promise<Sight> {
  const { known } = context;
  const { importerToken, appToken, packageIds } = remembered;
  const sight: Record<string, string> = {};
  if (importerToken !== undefined) sight["importer"] = await isKnown(known.device(importerToken));
  if (appToken !== undefined) sight["app"] = await isKnown(known.app(appToken));
  for (const [name, id] of packageIds) sight[name] = await seePackage(context, id);
  return sight;
}

async function isKnown(looking: Promise<unknown>): Promise<string> {
  return (await unlessRefused(looking)) === undefined ? "unknown" : "known";
}

async function seePackage(context: Context, packageId: string): Promise<string> {
  const stored = await context.packages.find(packageId);
  const finding = findPackage(context, stored?.deviceId ?? "", packageId);
  const record = await unlessRefused(finding);
  if (record === undefined) return "gone";
  const now = context.clock.now();
  const status = statusOf(record, now);
  const files =
    status === "uploading" ? [...record.uploaded.keys()] : await served(context, record);
  const taken = isTaken(record.life, now, context.policy.leaseMs) ? ", taken" : "";
  return `${[`${status}:`, ...files.sort()].join(" ")}${taken}`;
}

async function served(context: Context, { deviceId, packageId }: PackageRecord): Promise<string[]> {
  const files: string[] = [];
  for (const file of Object.keys(SOUNDS)) {
    const downloading = downloadWhole(context, deviceId, packageId, file).then(() => true);
    if (await unlessRefused(downloading)) files.push(file);
  }
  return files;
}

async function unlessRefused<Answer>(asking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
