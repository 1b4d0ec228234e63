import { useEffect, useRef, useState } from "preact/hooks";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { usePanel } from "../panel-store.ts";

/** Interval at which the page reports that the code is in sight, because an unseen code ends (rule P2). */
const KEEP_EVERY_MS = 20_000;

interface PairingCode {
  /** Asks for a new code, which replaces the one that is shown. */
  readonly ask: () => void;
  /** The reason why the last request failed, as a sentence. */
  readonly error: string | null;
}

/**
 * Asks for a code once and keeps it, because the importer ends a code that no page shows. Only a click replaces a code
 * that has expired.
 * @param isWanted true if there is no code and the relay can give one
 */
export function usePairingCode(isWanted: boolean): PairingCode {
  const { store } = usePanel();
  const [error, setError] = useState<string | null>(null);
  const wasAsked = useRef(false);
  const ask = async (fresh: boolean): Promise<void> => {
    wasAsked.current = true;
    setError(null);
    try {
      await store.calls.send("openCode", { fresh });
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
      store.calls.send("keepCode", { visible: !document.hidden }).catch(ignoreLoss);
    };
    const timer = setInterval(keep, KEEP_EVERY_MS);
    document.addEventListener("visibilitychange", keep);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", keep);
      store.calls.send("closeCode").catch(ignoreLoss);
    };
  }, [store]);
}

/** Ignores a lost call, which only ends the code earlier or later; the page's connection has its own message. */
function ignoreLoss(): void {
  return undefined;
}
