import { join } from "node:path";
import { type Command, Option } from "commander";
import type { BuildImporterOptions } from "../addon/build-importer.ts";
import type { Host } from "../addon/hosts/host.ts";
import type { ImporterSettings } from "../addon/settings.ts";
import { WrongUse } from "./fail.ts";

// Every host of the command line is an entry of one of these two tables; its code is loaded on first use.

/** Hosts that can be an importer's own: sessions, and the sounds folder alone. */
const OWN_HOSTS = {
  live: async ({ dataFolder }) => {
    const { ControlSurfaceHost } =
      await import("../addon/hosts/live/remote-script/control-surface-host.ts");
    return new ControlSurfaceHost({ folders: [dataFolder], dataFolder });
  },
  folder: async () => {
    const { FolderHost } = await import("../addon/hosts/folder/folder-host.ts");
    return new FolderHost();
  },
  preview: async (settings) => {
    const { PreviewHost } = await import("../addon/hosts/preview/preview-host.ts");
    return new PreviewHost(previewSessionIn(settings));
  },
} as const satisfies Record<string, (settings: ImporterSettings) => Promise<Host>>;

interface FileOptions {
  /** Also lays the sounds out on the timeline. Such a host has another name and its own record of imports. */
  readonly withArrangement: boolean;
}

interface FileHost {
  /** Completes “Only importer import writes …”. */
  readonly file: string;
  /** The name of the file's path in the command's JSON. */
  readonly key: string;
  /** True if it can lay the sounds out on the timeline, too. */
  readonly canArrange: boolean;
  readonly open: (options: FileOptions) => Promise<Host>;
  /** Returns the path of the file for a package with that folder of sounds. */
  readonly pathIn: (folder: string, options: FileOptions) => Promise<string>;
}

/** Files that only `importer import` can name. */
const FILE_HOSTS = {
  dawproject: {
    file: "a DAWproject",
    key: "dawproject",
    canArrange: true,
    open: async (options) => {
      const { DawprojectHost } = await import("../addon/hosts/dawproject/dawproject-host.ts");
      return new DawprojectHost(options);
    },
    pathIn: async (folder, options) => {
      const { dawprojectPath } = await import("../addon/hosts/dawproject/dawproject-file.ts");
      return dawprojectPath(folder, options);
    },
  },
  "live-set": {
    file: "a Live Set file",
    key: "live_set",
    canArrange: false,
    open: async () => {
      const { LiveSetHost } = await import("../addon/hosts/live-set/live-set-host.ts");
      return new LiveSetHost();
    },
    pathIn: async (folder) => {
      const { liveSetPath } = await import("../addon/hosts/live-set/live-set-file.ts");
      return liveSetPath(folder);
    },
  },
} as const satisfies Record<string, FileHost>;

export type OwnHostName = keyof typeof OWN_HOSTS;
/** The own host in which `up --pretend` makes outcomes happen. */
export const PRETENDING_HOST: OwnHostName = "preview";
export type FileHostName = keyof typeof FILE_HOSTS;
export type FileKey = (typeof FILE_HOSTS)[FileHostName]["key"];
export type HostName = OwnHostName | FileHostName;

const OWN_NAMES = Object.keys(OWN_HOSTS).filter(isOwnHost);
export const FILE_NAMES = Object.keys(FILE_HOSTS).filter(isFileHost);

/** The own hosts in a sentence: `live, folder or preview`. */
export const OWN_HOST_WORDS = OWN_NAMES.join(", ").replace(/, (?=[^,]*$)/, " or ");
export const FILE_HOST_WORDS = FILE_NAMES.join(" or ");
/** The hosts that `--arrangement` is for, in a sentence. */
export const ARRANGING_HOST_WORDS = FILE_NAMES.filter(canArrange).join(" or ");
export const ONLY_IMPORT_WRITES = `Only importer import writes ${FILE_NAMES.map((name) => FILE_HOSTS[name].file).join(" or ")}.`;

export function isOwnHost(name: string): name is OwnHostName {
  return Object.hasOwn(OWN_HOSTS, name);
}

export function isFileHost(name: string): name is FileHostName {
  return Object.hasOwn(FILE_HOSTS, name);
}

/** Checks whether a file host can lay sounds out on the timeline. */
export function canArrange(name: FileHostName): boolean {
  return FILE_HOSTS[name].canArrange;
}

/** The names of the files' paths in the command's JSON. */
export const FILE_KEYS = FILE_NAMES.map(fileKey);

/** Returns the name of a file host's path in the command's JSON. */
export function fileKey(name: FileHostName): FileKey {
  return FILE_HOSTS[name].key;
}

/** `--host` of `importer` and its subcommands (rule K2). It is no setting: `SOUNDFERRY_HOST` is the relay's. */
export function hostOption(): Option {
  return new Option(
    "--host <host>",
    `where to import; Live while it answers, or else the sounds folder, if none is named; ` +
      `${FILE_HOST_WORDS} is for importer import (live-set: experimental, not yet opened in a real Live)`,
  ).choices([...OWN_NAMES, ...FILE_NAMES]);
}

/** Returns the host that a command names. `importer` takes the flag, also when it stands after a subcommand. */
export function namedHost(command: Command): HostName | undefined {
  return command.optsWithGlobals<{ readonly host?: HostName }>().host;
}

/**
 * Returns the own host for an importer that keeps running.
 * @throws {WrongUse} when the command names a file
 */
export function namedOwnHost(host: string | undefined): OwnHostName | undefined {
  if (host === undefined || isOwnHost(host)) return host;
  throw new WrongUse(`--host is ${OWN_HOST_WORDS} here. ${ONLY_IMPORT_WRITES}`);
}

/** Returns the importer's name for a file host. */
export function fileHostName(name: FileHostName, { withArrangement }: FileOptions): string {
  return withArrangement ? `${name}-arrangement` : name;
}

/** Returns the path of the file that a file host writes for a package with that folder of sounds. */
export function fileIn(folder: string, name: FileHostName, options: FileOptions): Promise<string> {
  return FILE_HOSTS[name].pathIn(folder, options);
}

/** The preview host's session on disk. */
export function previewSessionIn({ dataFolder }: Pick<ImporterSettings, "dataFolder">): string {
  return join(dataFolder, "preview-session.json");
}

/**
 * Returns an importer's own hosts, by preference; the last is used while no other is ready (rules R9, R16). Where Live
 * was meant, sounds are saved while it doesn't answer.
 * @param last the host beside Live if the command names none
 */
export function ownHostNames(
  named: OwnHostName | undefined,
  last: OwnHostName = "folder",
): readonly OwnHostName[] {
  if (named === undefined) return ["live", last];
  return named === "live" ? ["live", "folder"] : [named];
}

/**
 * Makes the hosts of an importer of the command line (rule R9).
 * @param names its own hosts, by preference, at least one; an import can name all others
 */
export async function ownHosts(
  settings: ImporterSettings,
  names: readonly OwnHostName[],
): Promise<Pick<BuildImporterOptions, "host" | "preferredHosts" | "otherHosts">> {
  const make = (name: OwnHostName): Promise<Host> => OWN_HOSTS[name](settings);
  const files = FILE_NAMES.flatMap((name) =>
    (canArrange(name) ? [PLAIN, { withArrangement: true }] : [PLAIN]).map((options): OtherHost => {
      return [fileHostName(name, options), () => FILE_HOSTS[name].open(options)];
    }),
  );
  const others = OWN_NAMES.filter((name) => !names.includes(name));
  const sessions = others.map((name): OtherHost => [name, () => make(name)]);
  const preferredHosts = await Promise.all(names.map(make));
  const host = preferredHosts.pop();
  if (host === undefined) throw new RangeError("An importer needs a host of its own.");
  return { host, preferredHosts, otherHosts: new Map([...files, ...sessions]) };
}

const PLAIN: FileOptions = { withArrangement: false };

type OtherHost = readonly [name: string, open: () => Promise<Host>];
