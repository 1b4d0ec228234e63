import type { Importer } from "../../../addon/importer.ts";
import type { ImporterSettings } from "../../../addon/settings.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import { type PairingCodeAnswer, THIS_COMPUTER } from "../../../core/protocol/importer-api.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { timeText } from "../../../core/time.ts";
import type { Relay } from "../../../relay/build-relay.ts";
import { Failure } from "../../fail.ts";
import type { Output } from "../../output.ts";

/**
 * Replaces the importer's pairing code with a given one. Only `up` can, because it owns relay and importer.
 * @throws {Failure} if another importer at the relay is using the code
 */
export async function fixPairingCode(
  relay: Relay,
  { dataFolder, relayUrl }: ImporterSettings,
  code: string,
): Promise<PairingCodeAnswer> {
  const identity =
    relayUrl === null ? undefined : openStoredSettings(dataFolder).findIdentity(relayUrl);
  if (identity === undefined) throw new Failure("The importer is not registered with its relay.");
  const { pairings, clock, digest, policy } = relay.context;
  const now = clock.now();
  const expiresAt = now + policy.pairingCodeTtlMs;
  const codeHash = digest.ofText(code);
  const { deviceId } = identity;
  const isLive = await pairings.setCode(deviceId, { codeHash, expiresAt, now });
  if (!isLive) throw new Failure(`Another importer is using the code ${code} right now.`);
  return { code, expires_at: timeText(expiresAt), expires_in: policy.pairingCodeTtlMs / 1000 };
}

/** Wait after a failed request for a code. */
const RETRY_MS = 5000;
const MIN_LIFE_MS = 1000;
/** The longest wait of a timer. */
const MAX_LIFE_MS = 2 ** 31 - 1;

export interface CodeOptions {
  /** The code as it was shown first. */
  readonly shown: PairingCodeAnswer;
  /** Called each time when it is valid again. */
  readonly onCode: (code: PairingCodeAnswer) => Promise<void> | void;
  /** Called when a request for a code fails; it is retried automatically. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Keeps the code of `up --code` valid (rule K2): requests it again when it was used or has expired, and when the relay
 * is back. Every request gets the same code, which somebody chose (rule P2).
 */
export function keepFixedCode(importer: Importer, options: CodeOptions): Disposable {
  const { onCode, onTrouble } = options;
  let last: PairingCodeAnswer = options.shown;
  // Also true while it waits after a failure.
  let isAsking = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      await importer.pairingCode();
      isAsking = false;
    } catch (error) {
      // The importer is closing.
      if (isOver) return;
      onTrouble(error);
      askIn(RETRY_MS);
    }
  };
  const askIn = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), ms);
  };
  const askWhenOld = ({ expires_in }: PairingCodeAnswer): void =>
    askIn(Math.min(MAX_LIFE_MS, Math.max(MIN_LIFE_MS, expires_in * 1000)));
  const report = async (code: PairingCodeAnswer): Promise<void> => {
    try {
      await onCode(code);
    } catch (error) {
      onTrouble(error);
    }
  };
  const check = ({ pairing, connection }: Importer["state"]): void => {
    if (pairing.code === null && connection.status === "connected" && !isAsking) void ask();
    if (pairing.code === null || pairing.code === last) return;
    last = pairing.code;
    askWhenOld(last);
    void report(last);
  };

  const end = importer.subscribe(check);
  check(importer.state);
  askWhenOld(last);
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      end();
      clearTimeout(timer);
    },
  };
}

/**
 * Allows apps on this computer to pair, where `up --code` has set the code: the person who chose it has agreed, and nobody
 * may be there to ask (rule P12). Apps elsewhere still wait for a person.
 */
export function allowOwnApps(
  importer: Pick<Importer, "state" | "subscribe" | "answerPairing">,
  output: Pick<Output, "say">,
): Disposable {
  let answered: string | undefined;
  const look = ({ pairing: { request } }: Importer["state"]): void => {
    if (request?.network !== THIS_COMPUTER || request.request_id === answered) return;
    answered = request.request_id;
    importer
      .answerPairing({ request_id: answered, answer: "allow" })
      .catch((error: unknown) => output.say(sentenceOf(error)));
  };
  look(importer.state);
  return { [Symbol.dispose]: importer.subscribe(look) };
}
