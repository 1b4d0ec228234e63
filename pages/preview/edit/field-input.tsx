import type { TargetedEvent, VNode } from "preact";
import { useState, useEffect, useRef } from "preact/hooks";
import { type FieldForm, isHexColor } from "./field-values.ts";
import { ColorPicker } from "../../kit/clip-list/color-picker.tsx";
import { Dialog } from "../../kit/shell/dialog.tsx";

interface FieldInputProps {
  readonly form: FieldForm;
  /** The value in the file. */
  readonly shared: { readonly text: string; readonly isMixed: boolean };
  readonly isFixed: boolean;
  readonly isRefused: boolean;
  /** Id of the element that says why a value was refused. */
  readonly noteId: string;
  /** Writes a value; resolves with whether it was accepted. */
  readonly onWrite: (typed: string) => Promise<boolean>;
}

/** One field: text, a choice or a color. Enter and leaving the field write it; Escape drops the typed text. */
export function FieldInput(props: FieldInputProps): VNode {
  const { form, shared, isFixed, isRefused, noteId } = props;
  const { draft, type, write, drop } = useDraft(shared, props.onWrite);
  const value = draft ?? shared.text;
  const common = {
    value,
    disabled: isFixed,
    // The label's text would contain the words of all choices.
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
            onInput={({ currentTarget }) => type(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Escape") drop();
              if (event.key === "Enter") event.currentTarget.blur();
            }}
          />
        </span>
      )}
    </label>
  );
}

interface ChoicesProps {
  readonly form: FieldForm;
  readonly value: string;
  readonly isMixed: boolean;
}

/** The options of a choice, including a value in the file that the format doesn't have. */
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

interface ColorBoxProps {
  readonly label: string;
  /** The color in the manifest; empty for none. */
  readonly text: string;
  readonly isMixed: boolean;
  readonly isFixed: boolean;
  /** Called with `#RRGGBB`, or with an empty text for an automatic color. */
  readonly onPick: (text: string) => void;
}

/** A color as a button that opens the host's own colors. */
function ColorBox({ label, text, isMixed, isFixed, onPick }: ColorBoxProps): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const hex = isHexColor(text) ? `#${text.replace("#", "")}` : null;
  return (
    <>
      <button
        type="button"
        class="icon"
        aria-label={`${label}: choose from the host’s`}
        aria-haspopup="dialog"
        disabled={isFixed}
        onClick={() => setIsOpen(true)}
      >
        <span
          class={`clip-swatch ${hex === null ? "automatic" : ""}`}
          {...(hex !== null && { style: { background: hex } })}
        />
      </button>
      {isOpen && (
        <Dialog title={label} onClose={() => setIsOpen(false)}>
          <ColorPicker
            label={label}
            color={isMixed ? undefined : hex}
            onPick={(color) => onPick(color ?? "")}
          />
        </Dialog>
      )}
    </>
  );
}

/** Time within which the page sees an edit after its answer. */
const SETTLE_MS = 2000;

interface Draft {
  readonly text: string;
  readonly isWritten: boolean;
}

/** The text that a field holds in place of the file's value. */
interface FieldDraft {
  /** The typed text; null while the field shows the file's value. */
  readonly draft: string | null;
  readonly type: (text: string) => void;
  readonly write: (text: string) => Promise<void>;
  readonly drop: () => void;
}

/**
 * Holds the text that is typed into a field. It survives states that the page reads meanwhile; once written, it ends
 * with the next state.
 * @param shared the file's value
 * @param onWrite resolves with whether the text was accepted
 */
function useDraft(
  shared: { readonly text: string; readonly isMixed: boolean },
  onWrite: (text: string) => Promise<boolean>,
): FieldDraft {
  const [draft, setDraft] = useState<Draft | null>(null);
  // The value that the file has by now, although the page hasn't read it yet.
  const sent = useRef<string | null>(null);
  useEffect(() => {
    sent.current = null;
    setDraft((now) => (now?.isWritten === true ? null : now));
  }, [shared.text, shared.isMixed]);
  const write = async (text: string): Promise<void> => {
    const isMixed = shared.isMixed && sent.current === null;
    if (!isMixed && text === (sent.current ?? shared.text)) return setDraft(null);
    const written = { text, isWritten: true };
    setDraft(written);
    const before = sent.current;
    sent.current = text;
    const isAccepted = await onWrite(text);
    if (!isAccepted) sent.current = before;
    // The file may already have the same value in another notation.
    if (isAccepted) {
      setTimeout(() => setDraft((now) => (now === written ? null : now)), SETTLE_MS);
    }
  };
  return {
    draft: draft?.text ?? null,
    type: (text) => setDraft({ text, isWritten: false }),
    write,
    drop: () => setDraft(null),
  };
}
