import type { Relay } from "../../../relay/build-relay.ts";
import type { RelaySettings } from "../../../relay/settings.ts";
import { commandLine } from "../../command.ts";
import { Failure } from "../../fail.ts";

/** @throws {Failure} with a sentence if the port or the address can't be used */
export async function listen(
  relay: Relay,
  { host, port }: RelaySettings,
): Promise<Awaited<ReturnType<Relay["listen"]>>> {
  try {
    return await relay.listen();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "EADDRINUSE") {
      const doctor = commandLine(["doctor"]);
      throw new Failure(
        `Port ${port} is in use. Choose another with --port (0 picks a free one); to see what uses it, run: ${doctor}`,
        { cause },
      );
    }
    if (code === "EACCES") {
      throw new Failure(`Port ${port} needs administrator rights. Choose one above 1023.`, {
        cause,
      });
    }
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new Failure(`${host} is not an address of this computer. Change --host.`, { cause });
    }
    throw cause;
  }
}

/** The places of a relay's data, as facts for a terminal and as JSON. Never a password. */
export interface DescribedStores {
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly json: {
    /** The data folder; null if nothing is kept in it. */
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

/** Returns host, port and path of an address. User, password and parameters may be secrets. */
function withoutSecrets(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}
