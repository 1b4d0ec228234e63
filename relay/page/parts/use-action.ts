import { useState } from "preact/hooks";

/** Something that a click begins. */
export interface Action {
  /** Begins it, unless it goes on already. */
  readonly begin: (act: () => Promise<void>) => void;
  readonly isBusy: boolean;
  /** Why it was not done, in a sentence; null while it goes on and after it was done. */
  readonly error: string | null;
}

/** One click's work, its wait, and the sentence where it was refused. */
export function useAction(): Action {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const work = async (act: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    setError(null);
    try {
      await act();
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    begin: (act) => {
      if (!isBusy) void work(act);
    },
    isBusy,
    error,
  };
}
