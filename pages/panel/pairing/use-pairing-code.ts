import { useEffect, useRef, useState } from "preact/hooks";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { usePanel } from "../panel-context.ts";

/** A code that nobody looks at ends: the page says this often that somebody does (rule P2). */
const KEEP_EVERY_MS = 20_000;

export interface PairingCode {
  /** Asks for a new code, which replaces the one that is shown. */
  readonly ask: () => void;
  /** Why the last request failed, as a sentence. */
  readonly error: string | null;
}

/**
 * Asks for a code once while it is shown, and keeps it: the importer ends a code that no page shows any more. A
 * code that has expired is asked for with a click only.
 * @param isWanted whether there is no code, and the relay can give one
 */
export function usePairingCode(isWanted: boolean): PairingCode {
  const { store } = usePanel();
  const [error, setError] = useState<string | null>(null);
  const wasAsked = useRef(false);
  const ask = async (fresh: boolean): Promise<void> => {
    wasAsked.current = true;
    setError(null);
    try {
      await store.calls.openCode(fresh);
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  };
  useEffect(() => {
    if (isWanted && !wasAsked.current && !document.hidden) void ask(false);
  }, [isWanted]);
  useKeptCode();
  return { ask: () => void ask(true), error };
}

function useKeptCode(): void {
  const { store } = usePanel();
  useEffect(() => {
    const keep = (): void => {
      store.calls.keepCode(!document.hidden).catch(ignoreLoss);
    };
    const timer = setInterval(keep, KEEP_EVERY_MS);
    document.addEventListener("visibilitychange", keep);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", keep);
      store.calls.closeCode().catch(ignoreLoss);
    };
  }, [store]);
}

/** A lost call ends the code earlier, or lets it expire later; the page's connection has its own message. */
function ignoreLoss(): void {
  return undefined;
}
