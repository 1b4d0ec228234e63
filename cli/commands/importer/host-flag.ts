import { type Command, Option } from "commander";
import { WrongUse } from "../../fail.ts";

/** The hosts that an importer of the command line can have as its own. */
export const OWN_HOSTS = ["live", "preview"] as const;
export type OwnHostName = (typeof OWN_HOSTS)[number];

/** Where `importer` and `importer import` import: an own host, or a file. */
export type NamedHost = OwnHostName | "dawproject";

/** `--host` of `importer` and its subcommands (rule K2). It is no setting: `SOUNDFERRY_HOST` is the relay's. */
export function hostOption(): Option {
  return new Option(
    "--host <host>",
    "where to import; Live while it answers, or else the preview, if none is named; " +
      "dawproject is for importer import",
  ).choices([...OWN_HOSTS, "dawproject"]);
}

/** The host that a command names. `importer` takes the flag, also when it stands after a subcommand. */
export function namedHost(command: Command): NamedHost | undefined {
  return command.optsWithGlobals<{ readonly host?: NamedHost }>().host;
}

/**
 * The own host for an importer that keeps running.
 * @throws {WrongUse} when the command names a file
 */
export function namedOwnHost(host: string | undefined): OwnHostName | undefined {
  const own = OWN_HOSTS.find((name) => name === host);
  if (host === undefined || own !== undefined) return own;
  throw new WrongUse("--host is live or preview here. Only importer import writes a DAWproject.");
}
