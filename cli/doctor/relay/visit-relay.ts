import { readSettings, type SettingsSource } from "../../../core/settings.ts";
import { RELAY_SETTINGS } from "../../../relay/settings.ts";
import { Failure, WrongUse } from "../../fail.ts";
import { stopSignal } from "../../stop-signal.ts";
import type { Finding } from "../finding.ts";
import { examineRelay } from "./examine-relay.ts";
import { PATIENT, QUICK } from "./visit.ts";

/** What the command line asks for. */
export interface RelayVisit {
  /** As a person types it. */
  readonly address: string;
  /** The flags that are settings. */
  readonly given: SettingsSource;
  readonly isQuick: boolean;
  readonly say: (line: string) => void;
}

/**
 * `soundferry doctor --relay` (rule K15).
 * @throws {WrongUse} for what is no address
 * @throws {Failure} when it was stopped
 */
export async function visitRelay(visit: RelayVisit): Promise<readonly Finding[]> {
  const { address, given, isQuick, say } = visit;
  const url = parseAddress(address);
  const registrationKey = readKey(given);
  const signal = stopSignal();
  try {
    const waits = isQuick ? QUICK : PATIENT;
    return await examineRelay({ url, registrationKey, waits, say, signal });
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Failure("Stopped.", { cause: error });
  }
}

function readKey(given: SettingsSource): string | undefined {
  const { registrationKey, registrationKeyFile } = RELAY_SETTINGS;
  const read = readSettings({ registrationKey, registrationKeyFile }, [given, process.env]);
  return read.registrationKey ?? read.registrationKeyFile;
}

/** Accepts http on any name, which an importer doesn't: doctor says what is wrong with it. */
function parseAddress(text: string): string {
  const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(full) ? new URL(full) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new WrongUse(`--relay takes a relay's address, such as https://relay.example.`);
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
