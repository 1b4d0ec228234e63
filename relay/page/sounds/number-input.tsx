import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { type NumberField, readNumber } from "./read-number.ts";

interface NumberInputProps {
  /** Unique on the page. */
  readonly name: string;
  readonly label: string;
  /** What the number belongs to, for screen readers. */
  readonly of?: string;
  readonly field: NumberField;
  readonly typed: string;
  /** The value in use while the field is empty. */
  readonly placeholder?: string;
  readonly onType: (typed: string) => void;
}

/** A field for a number, with a message while its content is invalid. */
export function NumberInput(props: NumberInputProps): VNode {
  const { name, label, of, field, typed, placeholder = "", onType } = props;
  const [fieldId, errorId] = [useId(), useId()];
  const read = readNumber(typed, field);
  const error = typeof read === "string" ? read : null;
  return (
    <div class="labelled">
      <label for={fieldId}>
        {label}
        {of !== undefined && <span class="unseen"> of {of}</span>}
      </label>
      <input
        id={fieldId}
        name={name}
        class="number"
        inputMode="decimal"
        autocomplete="off"
        maxLength={12}
        value={typed}
        placeholder={placeholder}
        aria-invalid={error !== null}
        aria-describedby={errorId}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      <p id={errorId} class="error">
        {error}
      </p>
    </div>
  );
}
