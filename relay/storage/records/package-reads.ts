import type { AnnouncedManifest } from "../../../core/manifest/manifest.ts";
import type { PackageRecord } from "../../domain/ports.ts";
import type { Work } from "./statement.ts";

/** A package, and the number of characters of its JSON. */
export interface FoundPackage {
  readonly record: PackageRecord;
  readonly characters: number;
}

export declare function findPackage(packageId: string): Work<FoundPackage | undefined>;
export declare function findManifest(packageId: string): Work<AnnouncedManifest | undefined>;
