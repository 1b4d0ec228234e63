import type { VNode } from "preact";
import { t } from "../../../kit/text.tsx";
import { type NumberField as Limits, readNumber } from "../read-number.ts";

interface NumberFieldProps {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly field: Limits;
  /** undefined where the sounds differ. */
  readonly typed: string | undefined;
  /** What is in use while the field is empty. */
  readonly placeholder: string;
  /** Whether the sounds have no such number. */
  readonly isOff?: boolean;
  readonly onType: (typed: string) => void;
}

/** A number of one or more sounds, with a message, in room of its own, while it is invalid. */
export function NumberField(props: NumberFieldProps): VNode {
  const { id, label, field, typed, placeholder, isOff = false, onType } = props;
  const read = readNumber(typed ?? "", field);
  const error = typeof read === "string" ? read : null;
  const errorId = `${id}-error`;
  return (
    <div class="edit-field">
      <label for={id}>{label}</label>
      <input
        id={id}
        class="number"
        inputMode="decimal"
        autocomplete="off"
        maxLength={12}
        value={typed ?? ""}
        disabled={isOff}
        placeholder={typed === undefined ? t("clips.mixed") : placeholder}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : errorId}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      {error !== null && (
        <p id={errorId} class="field-error">
          {error}
        </p>
      )}
    </div>
  );
}
