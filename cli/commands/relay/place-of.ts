import { existsSync } from "node:fs";
import type { StoreSettings } from "../../../relay/operating/open-operated.ts";
import { Failure } from "../../fail.ts";

/** Where a relay keeps its records and sounds, for sentences: without user and password. */
export function placeOf(settings: StoreSettings): string {
  const { dataFolder, databaseUrl, s3Bucket } = settings;
  if (databaseUrl === undefined && s3Bucket === undefined) return dataFolder;
  const bucket = s3Bucket === undefined ? dataFolder : `the bucket ${s3Bucket}`;
  if (databaseUrl === undefined) return `${dataFolder} and ${bucket}`;
  const { host, pathname } = new URL(databaseUrl);
  return `postgres://${host}${pathname} and ${bucket}`;
}

/** @throws {Failure} if the data folder is needed, and isn't there */
export function requireFolder({ dataFolder, databaseUrl, s3Bucket }: StoreSettings): void {
  if ((databaseUrl !== undefined && s3Bucket !== undefined) || existsSync(dataFolder)) return;
  throw new Failure(`There is no data folder at ${dataFolder}.`);
}

/** @throws {Failure} for a relay that isn't in a data folder: that has other ways of being backed up */
export function requireOnFolder({ databaseUrl, s3Bucket }: StoreSettings): void {
  if (databaseUrl === undefined && s3Bucket === undefined) return;
  throw new Failure(
    "This is for a relay in a data folder. Back PostgreSQL up with pg_dump or point-in-time recovery first, then the " +
      "bucket by its versions. After restoring both, run: soundferry relay check",
  );
}
