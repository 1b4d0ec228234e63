import type { VNode } from "preact";
import { t } from "../../../kit/text.tsx";

/** The value of the choice that says that the sounds differ. */
const MIXED = "-";

interface SelectFieldProps {
  /** Unique on the page. */
  readonly id: string;
  readonly label: string;
  /** undefined where the sounds differ, or where nothing is decided. */
  readonly value: string | undefined;
  /** Texts by value. */
  readonly choices: Readonly<Record<string, string>>;
  readonly onPick: (value: string) => void;
}

/** A choice for one or more sounds. */
export function SelectField({ id, label, value, choices, onPick }: SelectFieldProps): VNode {
  return (
    <div class="edit-field half">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value ?? MIXED}
        onChange={(event) => onPick(event.currentTarget.value)}
      >
        {value === undefined && (
          <option value={MIXED} disabled>
            {t("clips.mixed")}
          </option>
        )}
        {Object.entries(choices).map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
