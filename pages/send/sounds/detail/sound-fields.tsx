import type { VNode } from "preact";
import { SOUND_ROLES, type SoundRole } from "../../../../core/manifest/manifest.ts";
import { MAX_NAME_LENGTH } from "../../../../core/limits.ts";
import { formatRole } from "../../../../core/text/format-role.ts";
import type { ClipRow } from "../../../kit/clip-list/clip-row.ts";
import { formatNumber, t } from "../../../kit/page-language.ts";
import { usePage } from "../../page-context.ts";
import { choiceOf } from "../choice-of.ts";
import type { PageSound, SoundChoice, SoundEdits } from "../page-sound.ts";
import { BEATS, BPM, GAIN } from "../read-number.ts";
import { NumberField } from "./number-field.tsx";
import { SelectField } from "./select-field.tsx";
import { sharedOf } from "./shared-of.ts";

interface SoundFieldsProps {
  /** One or more. */
  readonly selected: readonly PageSound[];
  readonly rows: readonly ClipRow[];
}

/** The fields of the selected sounds. A change is made to all of them. */
export function SoundFields({ selected, rows }: SoundFieldsProps): VNode {
  const { sounds } = usePage();
  const choices = selected.map(choiceOf);
  const keys = new Set(selected.map(({ key }) => key));
  const edit = (edits: SoundEdits): void => sounds.edit(keys, edits);
  const shared = <Field extends keyof SoundChoice>(field: Field) => sharedOf(choices, field);
  const isLoop = choices.some(({ kind }) => kind === "loop");
  const row = selected.length === 1 ? rows.find(({ key }) => keys.has(key)) : undefined;
  return (
    <div class="edit-fields sound-fields">
      {selected.length === 1 && <NameField name={choices[0]?.name ?? ""} onType={edit} />}
      <SelectField
        id="sound-kind"
        label={t("page.kind")}
        value={shared("kind") ?? undefined}
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
        typed={isLoop ? shared("bpm") : ""}
        isOff={!isLoop}
        placeholder={formatPlan(row?.tempoBpm)}
        onType={(bpm) => edit({ bpm, isTempoOpen: false })}
      />
      <NumberField
        id="sound-beats"
        label={t("page.beats")}
        field={BEATS}
        typed={isLoop ? shared("lengthBeats") : ""}
        isOff={!isLoop}
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

/** What the layout makes of an empty field. */
function formatPlan(value: number | null | undefined): string {
  return typeof value === "number" ? formatNumber(value) : "";
}
