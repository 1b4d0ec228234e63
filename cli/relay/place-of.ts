import type { StoreSettings } from "../../relay/operating/open-operated.ts";

/** Where a relay keeps its records and sounds, for sentences: without user and password. */
export function placeOf(settings: StoreSettings): string {
  const { dataFolder, databaseUrl, s3Bucket } = settings;
  if (databaseUrl === undefined && s3Bucket === undefined) return dataFolder;
  const bucket = s3Bucket === undefined ? dataFolder : `the bucket ${s3Bucket}`;
  if (databaseUrl === undefined) return `${dataFolder} and ${bucket}`;
  const { host, pathname } = new URL(databaseUrl);
  return `postgres://${host}${pathname} and ${bucket}`;
}

/** Whether nothing of it is in the data folder. */
export function needsNoFolder({ databaseUrl, s3Bucket }: StoreSettings): boolean {
  return databaseUrl !== undefined && s3Bucket !== undefined;
}
