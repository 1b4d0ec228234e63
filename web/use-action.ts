import { useState } from "preact/hooks";

/** Something that a click begins. */
export interface Action {
  /** Begins it, unless it goes on already; calls `whenDone` after it was done. */
  readonly begin: (act: () => Promise<void>, whenDone?: () => void) => void;
  readonly isBusy: boolean;
  /** Why it was not done, in a sentence; null while it goes on and after it was done. */
  readonly error: string | null;
}

/** One click's work, its wait, and the sentence where it was refused. */
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
      setError(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setIsBusy(false);
    }
  };
  const begin: Action["begin"] = (act, whenDone) => {
    if (!isBusy) void work(act, whenDone);
  };
  return { begin, isBusy, error };
}
