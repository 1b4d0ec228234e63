import type { VNode } from "preact";
import { SOUND_ROLES, type SoundRole } from "../../../core/manifest/manifest.ts";
import { MAX_NAME_LENGTH } from "../../../core/limits.ts";
import { formatRole } from "../../../core/text/format-role.ts";
import type { ClipRow } from "../../kit/clip-list/clip-row.ts";
import { formatNumber, t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import {
  choiceOf,
  type SessionSound,
  type SoundChoice,
  type SoundEdits,
} from "../../../client/send/session/session-sound.ts";
import {
  BEATS,
  BPM,
  GAIN,
  isWrong,
  type NumberField as Limits,
} from "../../../client/send/session/typed-numbers.ts";
import { ColorPicker } from "../../kit/clip-list/color-picker.tsx";

interface SoundFieldsProps {
  /** One or more sounds. */
  readonly selected: readonly SessionSound[];
  /** The selected sounds whose kind, tempo and length can be set one by one: all but a recording's files. */
  readonly free: readonly SessionSound[];
  readonly rows: readonly ClipRow[];
}

/** The fields of the selected sounds. A change is made to all of them. */
export function SoundFields({ selected, free, rows }: SoundFieldsProps): VNode {
  const { sounds } = usePage();
  const choices = selected.map(choiceOf);
  const isFixed = free.length === 0;
  const timed = isFixed ? choices : free.map(choiceOf);
  const keys = new Set(selected.map(({ key }) => key));
  const edit = (edits: SoundEdits): void => sounds.edit(keys, edits);
  const shared = <Field extends keyof SoundChoice>(field: Field) => sharedOf(choices, field);
  const sharedTiming = <Field extends "kind" | "bpm" | "lengthBeats">(field: Field) =>
    sharedOf(timed, field);
  const isLoop = timed.some(({ kind }) => kind === "loop");
  const row = selected.length === 1 ? rows.find(({ key }) => keys.has(key)) : undefined;
  return (
    <div class="edit-fields sound-fields">
      {selected.length === 1 && <NameField name={choices[0]?.name ?? ""} onType={edit} />}
      <SelectField
        id="sound-kind"
        label={t("page.kind")}
        value={sharedTiming("kind") ?? undefined}
        isOff={isFixed}
        choices={{ loop: t("clips.loop"), oneshot: t("clips.one-shot") }}
        onPick={(kind) => edit({ kind: kind === "loop" ? "loop" : "oneshot" })}
      />
      <SelectField
        id="sound-role"
        label={t("page.role")}
        value={roleValue(shared("role"))}
        choices={{ "": t("page.noRole"), ...roleNames() }}
        onPick={(role) => edit({ role: asRole(role) })}
      />
      <NumberField
        id="sound-bpm"
        label={t("page.tempoBpm")}
        field={BPM}
        typed={isLoop ? sharedTiming("bpm") : ""}
        isOff={isFixed || !isLoop}
        placeholder={formatPlan(row?.tempoBpm)}
        onType={(bpm) => edit({ bpm, isTempoOpen: false })}
      />
      <NumberField
        id="sound-beats"
        label={t("page.beats")}
        field={BEATS}
        typed={isLoop ? sharedTiming("lengthBeats") : ""}
        isOff={isFixed || !isLoop}
        placeholder={formatPlan(row?.lengthBeats)}
        onType={(lengthBeats) => edit({ lengthBeats })}
      />
      <NumberField
        id="sound-gain"
        label={t("page.gain")}
        field={GAIN}
        typed={shared("gainDb")}
        placeholder="0"
        onType={(gainDb) => edit({ gainDb })}
      />
    </div>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly onType: (edits: SoundEdits) => void;
}

function NameField({ name, onType }: NameFieldProps): VNode {
  return (
    <div class="edit-field wide">
      <label for="sound-name">{t("page.name")}</label>
      <input
        id="sound-name"
        value={name}
        maxLength={2 * MAX_NAME_LENGTH}
        autocomplete="off"
        onInput={(event) => onType({ name: event.currentTarget.value })}
      />
    </div>
  );
}

function roleNames(): Readonly<Record<string, string>> {
  return Object.fromEntries(SOUND_ROLES.map((role) => [role, formatRole(t, role)]));
}

function roleValue(role: SoundRole | null | undefined): string | undefined {
  return role === null ? "" : role;
}

function asRole(value: string): SoundRole | null {
  return SOUND_ROLES.find((role) => role === value) ?? null;
}

/** Formats the layout's value for an empty field. */
function formatPlan(value: number | null | undefined): string {
  return typeof value === "number" ? formatNumber(value) : "";
}

/** The color of one or more sounds: one of Live's, or automatic. */
export function ColorField({ selected }: { readonly selected: readonly SessionSound[] }): VNode {
  const { sounds } = usePage();
  const keys = new Set(selected.map(({ key }) => key));
  return (
    <ColorPicker
      label={t("page.color")}
      color={sharedOf(selected.map(choiceOf), "color")}
      onPick={(color) => sounds.edit(keys, { color })}
    />
  );
}

interface NumberFieldProps {
  /** Id that is unique on the page. */
  readonly id: string;
  readonly label: string;
  readonly field: Limits;
  /** The typed text; undefined where the sounds differ. */
  readonly typed: string | undefined;
  /** The value in use while the field is empty. */
  readonly placeholder: string;
  /** Set if the sounds have no such number. */
  readonly isOff?: boolean;
  readonly onType: (typed: string) => void;
}

/** A number of one or more sounds. An invalid one has a message, in reserved room. */
function NumberField(props: NumberFieldProps): VNode {
  const { id, label, field, typed, placeholder, isOff = false, onType } = props;
  const error = isWrong(typed ?? "", field) ? field.sentence(t) : null;
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

/** Value of the option that says that the sounds differ. */
const MIXED = "-";

interface SelectFieldProps {
  /** Id that is unique on the page. */
  readonly id: string;
  readonly label: string;
  /** The value; undefined where the sounds differ or nothing is decided. */
  readonly value: string | undefined;
  /** Texts by value. */
  readonly choices: Readonly<Record<string, string>>;
  /** Set if nothing can be chosen. */
  readonly isOff?: boolean;
  readonly onPick: (value: string) => void;
}

/** A choice for one or more sounds. */
function SelectField(props: SelectFieldProps): VNode {
  const { id, label, value, choices, isOff = false, onPick } = props;
  return (
    <div class="edit-field half">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value ?? MIXED}
        disabled={isOff}
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

/** Returns a property that all selected sounds share; undefined where they differ. */
function sharedOf<Field extends keyof SoundChoice>(
  choices: readonly SoundChoice[],
  field: Field,
): SoundChoice[Field] | undefined {
  const first = choices[0]?.[field];
  return choices.every((choice) => choice[field] === first) ? first : undefined;
}
