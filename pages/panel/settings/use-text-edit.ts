import type { TargetedEvent } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { typedText, useAction } from "../../kit/action.tsx";

interface TextEdit {
  /** The name of the form's field. */
  readonly name: string;
  /** The text before. */
  readonly text: string;
  readonly send: (typed: string) => Promise<void>;
  readonly onDone: () => void;
}

/** A form for one text, which is selected at first. An unchanged or an empty one ends the edit. */
export function useTextEdit({ name, text, send, onDone }: TextEdit) {
  const { begin, isBusy, error } = useAction();
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const onSubmit = (event: TargetedEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = typedText(event.currentTarget, name);
    if (typed === "" || typed === text) onDone();
    else begin(() => send(typed), onDone);
  };
  return { field, onSubmit, isBusy, error };
}
