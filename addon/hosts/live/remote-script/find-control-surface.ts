import { join } from "node:path";
import { isJsonObject } from "../../../../core/text/json-object.ts";
import { parseJson } from "../../../../core/text/parse-json.ts";
import { readTextIfAny } from "../../../disk/atomic-file.ts";
import type { Timers } from "../../../timers.ts";
import { connectToSurface, type SurfaceClient } from "./control-surface-client.ts";
import { isUnreachable, UnreachableError } from "./control-surface-error.ts";

/** The file in which the control surface writes its port and its secret. */
export const PORT_FILE = "live-control-surface.json";
/** Advice for a computer on which no control surface runs. */
export const WHEN_ABSENT =
  "Live doesn't answer. Open Live and choose Soundferry under Settings → Link, Tempo & MIDI; " +
  "`soundferry live status` says more.";
/** The time for a login where only a quick answer is of use. */
export const QUICK_MS = 900;

export type ControlSurfaceLook =
  | { readonly kind: "absent" }
  /** A port file exists, but nobody at its port proves to know the secret, or the script is from another release. */
  | { readonly kind: "stale" }
  | {
      readonly kind: "answers";
      readonly version: string;
      /** Live's version. */
      readonly live: string;
      readonly edition: string;
    };

/** The content of a port file. */
interface SurfaceAddress {
  readonly port: number;
  /** The secret of 64 hexadecimal digits. */
  readonly secret: string;
}

export interface FindOptions {
  /** Folders in which the port file may be, in order of preference. */
  readonly folders: readonly string[];
  /** Absolute folders, without links, below which sound files may be opened. */
  readonly soundFolders: readonly string[];
  readonly patienceMs: number;
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
}

/**
 * Checks whether the control surface answers, in under a second.
 * @param folders in which the port file may be
 */
export async function lookAtControlSurface(
  folders: readonly string[],
): Promise<ControlSurfaceLook> {
  try {
    const client = await findControlSurface({ folders, soundFolders: [], patienceMs: QUICK_MS });
    client.close();
    return { kind: "answers", ...client.welcome };
  } catch (error) {
    if (isUnreachable(error, "absent")) return { kind: "absent" };
    if (error instanceof UnreachableError) return { kind: "stale" };
    throw error;
  }
}

/**
 * Connects to the first control surface that proves to be one.
 * @throws {UnreachableError} `absent`, `silent` or `version`
 * @throws {unknown} the signal's reason
 */
export async function findControlSurface(options: FindOptions): Promise<SurfaceClient> {
  const { folders, soundFolders, ...more } = options;
  const addresses = await readAddresses(folders);
  if (addresses.length === 0) {
    throw new UnreachableError("absent", WHEN_ABSENT);
  }
  const outcomes = await Promise.allSettled(
    addresses.map((address) => connectToSurface({ ...more, ...address, folders: soundFolders })),
  );
  const [client, ...others] = outcomes.flatMap((outcome) =>
    outcome.status === "fulfilled" ? [outcome.value] : [],
  );
  for (const other of others) other.close();
  if (client !== undefined) return client;
  const reasons = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason] : [],
  );
  throw reasons.find((reason) => isUnreachable(reason, "version")) ?? reasons[0];
}

/** Reads every port file; returns each address once. */
async function readAddresses(folders: readonly string[]): Promise<readonly SurfaceAddress[]> {
  const texts = await Promise.all(folders.map((folder) => readTextIfAny(join(folder, PORT_FILE))));
  const addresses = texts.flatMap((text) => (text === undefined ? [] : parseAddress(text)));
  return [...new Map(addresses.map((each) => [`${each.port} ${each.secret}`, each])).values()];
}

function parseAddress(text: string): readonly SurfaceAddress[] {
  const value = parseJson(text);
  if (!isJsonObject(value)) return [];
  const { port, secret } = value;
  const isPort = typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536;
  if (!isPort || typeof secret !== "string" || !/^[0-9a-f]{64}$/.test(secret)) return [];
  return [{ port, secret }];
}
