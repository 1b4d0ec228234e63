import { useState } from "preact/hooks";
import { sentenceOf } from "../../core/text/sentence-of.ts";

/** An action that a click starts. */
export interface Action {
  /** Starts it, unless it is running; calls `whenDone` on success. */
  readonly begin: (act: () => Promise<void>, whenDone?: () => void) => void;
  readonly isBusy: boolean;
  /** Why it failed, as a sentence; null while it runs and after a success. */
  readonly error: string | null;
}

/** One click's action: whether it is running, and why it failed. */
export function useAction(): Action {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const work = async (act: () => Promise<void>, whenDone?: () => void): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      await act();
      whenDone?.();
    } catch (failure) {
      setError(sentenceOf(failure));
    } finally {
      setIsBusy(false);
    }
  };
  const begin: Action["begin"] = (act, whenDone) => {
    if (!isBusy) void work(act, whenDone);
  };
  return { begin, isBusy, error };
}
