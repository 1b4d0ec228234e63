import { useState } from "preact/hooks";
import type { VNode } from "preact";
import { sentenceOf } from "../../core/text/sentence-of.ts";

/** An action that a click starts. */
interface Action {
  /** Starts it, unless it is running; calls `whenDone` on success. */
  readonly begin: (act: () => Promise<void>, whenDone?: () => void) => void;
  readonly isBusy: boolean;
  /** The reason for a failure, as a sentence; null while it runs and after a success. */
  readonly error: string | null;
}

/** Runs the action of a click, and keeps its progress and its error. */
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

/** Shows the reason why a click's action failed; renders nothing if it didn't. */
export function Refused({ error }: { readonly error: string | null }): VNode | null {
  if (error === null) return null;
  return (
    <p class="error" role="alert">
      {error}
    </p>
  );
}

/** Returns a form field's trimmed text; empty where there is no such field. */
export function typedText(form: HTMLFormElement, name: string): string {
  const typed = new FormData(form).get(name);
  return typeof typed === "string" ? typed.trim() : "";
}

/** Returns a listener that acts on Escape, and keeps the key from closing a dialog around it. */
export function onEscape(act: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
}
