import type { Importer } from "../../../addon/importer.ts";
import type { PairingCodeAnswer } from "../../../core/protocol/importer-api.ts";

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
