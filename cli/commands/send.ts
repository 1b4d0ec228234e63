import { join } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { FileTokenStore } from "../../client/node/file-token-store.ts";
import { IN_NODE } from "../../client/node/in-node.ts";
import { SoundferryClient } from "../../client/soundferry-client.ts";
import { isPairingOver } from "../../client/wire/answer-error.ts";
import { ClientError } from "../../client/wire/client-error.ts";
import { receivePageOf } from "../../core/protocol/receive-page.ts";
import { MAX_BPM, MAX_PACKAGES_AT_ONCE, MIN_BPM } from "../../core/limits.ts";
import type { SoundKind } from "../../core/manifest/manifest.ts";
import { VERSION } from "../../core/version.ts";
import { commandLine, newCommand, withJson } from "../command.ts";
import { Failure, WrongUse } from "../fail.ts";
import { type Output, outputFor } from "../output.ts";
import { flagsGiven, withSettings } from "../setting-flags.ts";
import { stopSignal } from "../stop-signal.ts";
import { APP_SETTINGS, readAppId, readAppSettings } from "./send/app-settings.ts";
import { formatRecordings, formatUndecided } from "./send/read-loose-sounds.ts";
import { readOutgoing } from "./send/read-outgoing.ts";
import { sendPackages } from "./send/send-packages.ts";

interface SendFlags {
  readonly relay: string;
  readonly code?: string;
  readonly appName: string;
  readonly bpm?: number;
  readonly undecided?: SoundKind;
  readonly bitDepth?: string;
  readonly split?: boolean;
  readonly fromPart?: number;
  readonly follow: boolean;
  readonly json?: boolean;
}

/** `soundferry send`: an app on the command line (rule K2). */
export function sendCommand(): Command {
  const command = newCommand(
    "send",
    "Sends a package to the computer that this app is paired with, and follows it until it is imported. " +
      "A folder with a manifest.json is sent as described there, with size and checksum filled in where " +
      "they are missing; of WAV files, or a folder of them, it guesses what they are, as guess prints it.",
  )
    .argument("<path...>", "a folder, or WAV files")
    .option("--relay <url>", "address of the relay", "http://127.0.0.1:4700")
    .option("--code <code>", 'pairing code from the importer, such as "K7M Q2X"; needed only once')
    .option(
      "--app-name <name>",
      "name to pair under, and for packages made from loose files",
      "Soundferry send",
    )
    .option(
      "--bpm <tempo>",
      "tempo of the loops among loose files that don't say their own",
      readBpm,
    )
    .addOption(
      new Option(
        "--undecided <kind>",
        "what loose files become that nothing says a kind of",
      ).choices(["loop", "oneshot"]),
    )
    .addOption(
      new Option(
        "--bit-depth <bits>",
        "sends loose files of more bits as 16 bit, with dither",
      ).choices(["16"]),
    )
    .option(
      "--split",
      "sends loose files that one package doesn't hold as several, at most " +
        `${MAX_PACKAGES_AT_ONCE}: separate scenes to be launched together`,
    )
    .option(
      "--from-part <number>",
      "with --split: leaves out the packages before this one",
      readPart,
    )
    .option("--no-follow", "exit as soon as the package is waiting for Import");
  return withSettings(withJson(command), APP_SETTINGS).action(send);
}

function readBpm(text: string): number {
  const bpm = text.trim() === "" ? Number.NaN : Number(text);
  if (bpm >= MIN_BPM && bpm <= MAX_BPM) return bpm;
  throw new InvalidArgumentError(`A tempo is a number from ${MIN_BPM} to ${MAX_BPM}.`);
}

function readPart(text: string): number {
  const part = Number(text);
  if (Number.isInteger(part) && part > 0) return part;
  throw new InvalidArgumentError("The parts count from 1.");
}

async function send(paths: readonly string[], flags: SendFlags, command: Command): Promise<void> {
  const output = outputFor(flags);
  const signal = stopSignal();
  const { dataFolder } = readAppSettings(flagsGiven(command, APP_SETTINGS), process.env);
  const client = new SoundferryClient({
    relayUrl: flags.relay,
    tokenStore: new FileTokenStore(join(dataFolder, "tokens.json"), flags.relay),
    app: { name: flags.appName, id: await readAppId(dataFolder) },
    ...IN_NODE,
    clientName: `soundferry-send/${VERSION} (${flags.appName})`,
  });
  const { appName, bpm, undecided: undecidedKind, follow, split = false, fromPart = 1 } = flags;
  if (fromPart > 1 && !split) throw new WrongUse("--from-part needs --split.");
  const packFlags = { as16: flags.bitDepth === "16", split };
  const outgoing = await readOutgoing(paths, appName, { bpm, undecidedKind }, packFlags);
  const { notes, recordings, undecided } = outgoing;
  const lines = [...notes, ...formatRecordings(recordings), ...formatUndecided(undecided)];
  for (const line of lines) output.say(line);
  await ensurePaired(client, flags, output);
  const options = { isList: split, fromPart, follow, output, signal };
  await sendPackages(client, outgoing.packages, options);
}

/** The time after which the relay probably waits for a yes (rule P12). */
const SLOW_MS = 3000;
const ALLOW_IT = `Now allow it on the other computer, in the panel or with ${commandLine(["importer", "allow"])}.`;

/**
 * Pairs with the code if there is one, otherwise checks that the stored token works.
 * @throws {WrongUse} if there is neither
 */
async function ensurePaired(
  client: SoundferryClient,
  { code, relay }: Pick<SendFlags, "code" | "relay">,
  output: Output,
): Promise<void> {
  if (code !== undefined) return pair(client, code, output);
  try {
    const { device_name } = await client.me();
    output.say(`Sending to ${device_name}.`);
  } catch (error) {
    if (!isPairingOver(error)) throw error;
    const page = receivePageOf(relay);
    const way = page === null ? "" : ` Nothing installed? Open ${page} in any browser.`;
    throw new WrongUse(`${error.message} Add --code with the code shown by the importer.${way}`);
  }
}

async function pair(client: SoundferryClient, code: string, output: Output): Promise<void> {
  const asking = setTimeout(() => output.say(ALLOW_IT), SLOW_MS);
  try {
    const { device_name } = await client.pair(code).finally(() => clearTimeout(asking));
    output.say(`Paired with ${device_name}.`);
  } catch (error) {
    if (!(error instanceof ClientError && error.status === 404)) throw error;
    // The same command run twice: its code is used up but no longer needed.
    const paired = await client.me().catch(() => undefined);
    if (paired === undefined) throw error;
    const { message: sentence } = error;
    throw new Failure(`${sentence} To send to ${paired.device_name} again, leave --code out.`);
  }
}
