import type { TargetedEvent, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ColorBox } from "./color-box.tsx";
import type { FieldForm } from "./field-values.ts";

interface FieldInputProps {
  readonly form: FieldForm;
  /** What the file has. */
  readonly shared: { readonly text: string; readonly isMixed: boolean };
  readonly isFixed: boolean;
  readonly isRefused: boolean;
  /** The element that says why it was refused. */
  readonly noteId: string;
  /** Writes it; resolves with whether it was accepted. */
  readonly onWrite: (typed: string) => Promise<boolean>;
}

/** What a field holds in place of what the file has. */
interface Draft {
  readonly text: string;
  readonly isWritten: boolean;
}

/** One field: text, a choice or a color. Enter or leaving it writes it; Escape takes the typing back. */
export function FieldInput(props: FieldInputProps): VNode {
  const { form, shared, isFixed, isRefused, noteId } = props;
  // What is being typed outlives whatever the page reads; what was written ends with the next read.
  const [draft, setDraft] = useState<Draft | null>(null);
  useEffect(
    () => setDraft((now) => (now?.isWritten === true ? null : now)),
    [shared.text, shared.isMixed],
  );
  const write = async (text: string): Promise<void> => {
    if (text === shared.text && !shared.isMixed) return setDraft(null);
    const written = { text, isWritten: true };
    setDraft(written);
    const isAccepted = await props.onWrite(text);
    // The file may have it already, written in another way.
    if (isAccepted) {
      setTimeout(() => setDraft((now) => (now === written ? null : now)), SETTLE_MS);
    }
  };
  const value = draft?.text ?? shared.text;
  const common = {
    value,
    disabled: isFixed,
    // Of a choice, the label would have the choices' words as well.
    "aria-label": form.label,
    "aria-invalid": isRefused,
    ...(isRefused && { "aria-describedby": noteId }),
    onChange: ({ currentTarget }: TargetedEvent<HTMLInputElement | HTMLSelectElement>) =>
      void write(currentTarget.value),
  };
  return (
    <label class="field-row" title={form.meaning}>
      <span>{form.label}</span>
      {form.kind === "choice" ? (
        <select {...common}>
          <Choices form={form} value={value} isMixed={shared.isMixed && draft === null} />
        </select>
      ) : (
        <span class="field-box">
          {form.kind === "color" && (
            <ColorBox
              label={form.label}
              text={value}
              isMixed={shared.isMixed}
              isFixed={isFixed}
              onPick={(color) => void write(color)}
            />
          )}
          <input
            type="text"
            {...common}
            inputMode={form.kind === "number" ? "decimal" : "text"}
            placeholder={shared.isMixed ? "Mixed" : form.fallback}
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget: { value: text } }) => setDraft({ text, isWritten: false })}
            onKeyDown={(event) => {
              if (event.key === "Escape") setDraft(null);
              if (event.key === "Enter") event.currentTarget.blur();
            }}
          />
        </span>
      )}
    </label>
  );
}

/** The page sees an edit before its answer, or shortly after. */
const SETTLE_MS = 500;

interface ChoicesProps {
  readonly form: FieldForm;
  readonly value: string;
  readonly isMixed: boolean;
}

/** A value that the format doesn't have is shown, too. */
function Choices({ form, value, isMixed }: ChoicesProps): VNode {
  const isKnown = value === "" || form.choices.some(([choice]) => choice === value);
  return (
    <>
      <option value="">{isMixed ? "Mixed" : `Default (${form.fallback})`}</option>
      {!isKnown && <option value={value}>{value}</option>}
      {form.choices.map(([choice, words]) => (
        <option key={choice} value={choice}>
          {words}
        </option>
      ))}
    </>
  );
}
