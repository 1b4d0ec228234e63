import { join } from "node:path";
import { isJsonObject, type JsonObject } from "../../../../core/text/json-object.ts";
import { parseJson } from "../../../../core/text/parse-json.ts";
import { listFiles, readTextIfAny } from "../../../disk/atomic-file.ts";
import { REAL_TIMERS, type Timers } from "../../../timers.ts";
import { connectToSurface, type SurfaceClient, type Welcome } from "./control-surface-client.ts";
import { isUnreachable, UnreachableError } from "./control-surface-error.ts";
import type { LiveInUse } from "./live-version.ts";

/** The file in which the control surface that started last writes its port and its secret. */
export const PORT_FILE = "live-control-surface.json";
/** The names of that file and of the one that each control surface has for itself, by its process. */
const PORT_FILES = /^live-control-surface(?:-\d+)?\.json$/;
/** Advice for a computer on which no control surface runs. */
export const WHEN_ABSENT =
  "Live doesn't answer. Open Live and choose Soundferry under Settings → Link, Tempo & MIDI; " +
  "`soundferry live status` says more.";
/** The time for a login where only a quick answer is of use. */
export const QUICK_MS = 900;
/** The time that the others get once one control surface has answered: a file that a crash left may lead anywhere. */
const OTHERS_MS = 300;

export type ControlSurfaceLook =
  | { readonly kind: "absent" }
  /** A port file exists, but nobody at its port proves to know the secret, or the script is from another release. */
  | { readonly kind: "stale" }
  | ({ readonly kind: "answers" } & Welcome & LiveInUse);

/** The content of a port file. */
interface SurfaceAddress {
  readonly port: number;
  /** The secret of 64 hexadecimal digits. */
  readonly secret: string;
  /** The start of the control surface, in seconds since 1970; 0 where the file doesn't tell. */
  readonly started: number;
}

export interface FindOptions {
  /** Folders in which port files may be, in order of preference. */
  readonly folders: readonly string[];
  /** Absolute folders, without links, below which sound files may be opened. */
  readonly soundFolders: readonly string[];
  readonly patienceMs: number;
  /** The secret of the control surface to find again; any other only where that one can't be reached. */
  readonly preferred?: string | undefined;
  readonly signal?: AbortSignal;
  readonly timers?: Timers;
}

/** The connections to all control surfaces that answer; the caller closes them. */
export interface FoundSurfaces {
  /** The one to use: it can place sounds, if any can, and of those it started last. */
  readonly client: SurfaceClient;
  readonly others: readonly SurfaceClient[];
  /** True if none of the others started later. */
  readonly isNewest: boolean;
}

/**
 * Checks whether the control surface answers, in under a second.
 * @param folders in which port files may be
 */
export async function lookAtControlSurface(
  folders: readonly string[],
): Promise<ControlSurfaceLook> {
  try {
    const found = await findControlSurfaces({ folders, soundFolders: [], patienceMs: QUICK_MS });
    const { client, others, isNewest } = found;
    for (const each of [client, ...others]) each.close();
    return { kind: "answers", ...client.welcome, lives: 1 + others.length, isNewest };
  } catch (error) {
    if (isUnreachable(error, "absent")) return { kind: "absent" };
    if (error instanceof UnreachableError) return { kind: "stale" };
    throw error;
  }
}

/** Connects to one control surface, as `findControlSurfaces` does. */
export async function findControlSurface(options: FindOptions): Promise<SurfaceClient> {
  const { client, others } = await findControlSurfaces(options);
  for (const other of others) other.close();
  return client;
}

/**
 * Connects to every control surface that proves to be one.
 * @throws {UnreachableError} `absent`, `silent` or `version`
 * @throws {unknown} the signal's reason
 */
export async function findControlSurfaces(options: FindOptions): Promise<FoundSurfaces> {
  const { folders, preferred } = options;
  const addresses = await readAddresses(folders);
  const known = addresses.filter(({ secret }) => secret === preferred);
  if (known.length > 0) {
    try {
      return await connectToAll(known, options);
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
    }
  }
  if (addresses.length === 0) throw new UnreachableError("absent", WHEN_ABSENT);
  return connectToAll(addresses, options);
}

/** Lists the secrets in all port files, each once: a new one means that another control surface has started. */
export async function listSecrets(folders: readonly string[]): Promise<readonly string[]> {
  return (await readAddresses(folders)).map(({ secret }) => secret);
}

/** Reads all port files of a folder, the one of the newest control surface first. */
export async function readPortFiles(folder: string): Promise<readonly JsonObject[]> {
  const names = (await listFiles(folder)).filter((name) => PORT_FILES.test(name));
  const sorted = [PORT_FILE, ...names.filter((name) => name !== PORT_FILE).toSorted()];
  const texts = await Promise.all(sorted.map((name) => readTextIfAny(join(folder, name))));
  return texts.map((text) => parseJson(text ?? "")).filter((value) => isJsonObject(value));
}

/** Connects to these, and soon gives up on the rest once one has answered. */
async function connectToAll(
  addresses: readonly SurfaceAddress[],
  { soundFolders, patienceMs, signal, timers = REAL_TIMERS }: FindOptions,
): Promise<FoundSurfaces> {
  const enough = new AbortController();
  const either = AbortSignal.any([enough.signal, ...(signal === undefined ? [] : [signal])]);
  let cancelTimer: (() => void) | undefined;
  const connect = async (address: SurfaceAddress) => {
    const { port, secret } = address;
    const how = { port, secret, folders: soundFolders, patienceMs, signal: either, timers };
    const client = await connectToSurface(how);
    cancelTimer?.();
    cancelTimer = timers.after(OTHERS_MS, () => enough.abort());
    return { ...address, client };
  };
  const outcomes = await Promise.allSettled(addresses.map(connect));
  cancelTimer?.();
  const found = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const [used, ...others] = found.toSorted(
    (one, other) => suitability(other) - suitability(one) || other.started - one.started,
  );
  if (used !== undefined) {
    const isNewest = others.every(({ started }) => started <= used.started);
    return { client: used.client, others: others.map(({ client }) => client), isNewest };
  }
  const reasons = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  throw reasons.find((reason) => isUnreachable(reason, "version")) ?? reasons[0];
}

function suitability({ client }: { readonly client: SurfaceClient }): number {
  return client.welcome.makesClips ? 1 : 0;
}

/** Reads every port file; returns each address once. */
async function readAddresses(folders: readonly string[]): Promise<readonly SurfaceAddress[]> {
  const files = (await Promise.all(folders.map(readPortFiles))).flat();
  const addresses = files.flatMap(parseAddress);
  return [...new Map(addresses.map((each) => [`${each.port} ${each.secret}`, each])).values()];
}

function parseAddress({ port, secret, started }: JsonObject): readonly SurfaceAddress[] {
  const isPort = typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536;
  if (!isPort || typeof secret !== "string" || !/^[0-9a-f]{64}$/.test(secret)) return [];
  return [{ port, secret, started: typeof started === "number" ? started : 0 }];
}
