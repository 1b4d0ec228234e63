import type { TargetedEvent, VNode } from "preact";
import { ColorBox } from "./color-box.tsx";
import type { FieldForm } from "./field-values.ts";
import { useDraft } from "./use-draft.ts";

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

/** One field: text, a choice or a color. Enter or leaving it writes it; Escape drops what was typed. */
export function FieldInput(props: FieldInputProps): VNode {
  const { form, shared, isFixed, isRefused, noteId } = props;
  const { draft, type, write, drop } = useDraft(shared, props.onWrite);
  const value = draft ?? shared.text;
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
