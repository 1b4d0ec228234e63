import type { Importer } from "../../addon/importer.ts";
import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";

/** Pause before a relay that gave no code is asked again. */
const RETRY_MS = 5000;
const SHORTEST_LIFE_MS = 1000;
/** What a timer can wait at most. */
const LONGEST_LIFE_MS = 2 ** 31 - 1;

/** What is told of codes. */
export interface CodeOptions {
  /** The code that people have seen already. */
  readonly shown?: PairingCodeAnswer;
  /** Called with every new code. */
  readonly onCode: (code: PairingCodeAnswer) => Promise<void> | void;
  /** Called when no code could be had; it is asked for again by itself. */
  readonly onTrouble: (error: unknown) => void;
}

/**
 * Sees to it that there always is a live code: a new one whenever one was used, expired, or could not
 * be had because the relay was away. One that somebody else asked this importer for is told too.
 */
export function keepPairingCode(importer: Importer, options: CodeOptions): Disposable {
  const { onCode, onTrouble } = options;
  let last = options.shown ?? null;
  // True from asking until the answer, or until the pause after a failure is over.
  let isAsking = false;
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  const ask = async (): Promise<void> => {
    isAsking = true;
    try {
      await importer.pairingCode();
      isAsking = false;
    } catch (error) {
      // Nobody wants a code any more when the importer closes under the question.
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
    askIn(Math.min(LONGEST_LIFE_MS, Math.max(SHORTEST_LIFE_MS, expires_in * 1000)));
  const tell = async (code: PairingCodeAnswer): Promise<void> => {
    try {
      await onCode(code);
    } catch (error) {
      onTrouble(error);
    }
  };
  const look = ({ pairing, connection }: Importer["state"]): void => {
    if (pairing.code === null && connection.status === "connected" && !isAsking) void ask();
    if (pairing.code === null || pairing.code === last) return;
    last = pairing.code;
    askWhenOld(last);
    void tell(last);
  };

  const end = importer.subscribe(look);
  look(importer.state);
  if (last !== null) askWhenOld(last);
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      end();
      clearTimeout(timer);
    },
  };
}
