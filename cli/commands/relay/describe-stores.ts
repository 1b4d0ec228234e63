import type { RelaySettings } from "../../../relay/settings.ts";

/** Where a relay keeps its data, as facts for a terminal and as JSON. Never a password. */
export interface DescribedStores {
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly json: {
    /** null if nothing is kept in it. */
    readonly data_folder: string | null;
    readonly database?: string;
    readonly bucket?: string;
  };
}

export function describeStores({
  databaseUrl,
  s3Bucket,
  s3Endpoint,
  dataFolder,
}: Pick<RelaySettings, "databaseUrl" | "s3Bucket" | "s3Endpoint" | "dataFolder">): DescribedStores {
  const database = databaseUrl === undefined ? undefined : withoutSecrets(databaseUrl);
  const bucket = s3Bucket && (s3Endpoint === undefined ? s3Bucket : `${s3Bucket} at ${s3Endpoint}`);
  const usesFolder = database === undefined || bucket === undefined;
  return {
    facts: [
      ...(usesFolder ? [["data", dataFolder] as const] : []),
      ...(database === undefined ? [] : [["records", database] as const]),
      ...(bucket === undefined ? [] : [["sounds", bucket] as const]),
    ],
    json: {
      data_folder: usesFolder ? dataFolder : null,
      ...(database !== undefined && { database }),
      ...(bucket !== undefined && { bucket }),
    },
  };
}

/** Host, port and path of an address. User, password and parameters may be secrets. */
function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}
