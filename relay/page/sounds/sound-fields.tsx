import type { VNode } from "preact";
import { useId } from "preact/hooks";
import { SOUND_ROLES, type SoundRole } from "../../../core/manifest/manifest.ts";
import { formatRole } from "../../../core/page/format-role.ts";
import { usePage } from "../page-context.ts";
import { ColorInput } from "./color-input.tsx";
import { NumberInput } from "./number-input.tsx";
import type { PageSound } from "./page-sound.ts";
import { BEATS, BPM, GAIN } from "./read-number.ts";

/** The fields that describe a sound. */
export function SoundFields({ sound }: { readonly sound: PageSound }): VNode {
  const { sounds } = usePage();
  const { key, name, kind } = sound;
  const choose = (choice: Partial<PageSound>): void => sounds.choose(key, choice);
  const isLoop = kind === "loop";
  return (
    <div class="fields">
      <div class="labelled">
        <label for={`${key}-kind`}>
          Plays<span class="unseen"> {name}</span>
        </label>
        <select
          id={`${key}-kind`}
          value={kind}
          onChange={(event) =>
            choose({ kind: event.currentTarget.value === "loop" ? "loop" : "oneshot" })
          }
        >
          <option value="oneshot">One-shot</option>
          <option value="loop">Loop</option>
        </select>
      </div>
      <RoleSelect sound={sound} />
      {isLoop && (
        <>
          <NumberInput
            name={`${key}.beats`}
            label="Beats"
            of={name}
            field={BEATS}
            typed={sound.lengthBeats}
            onType={(lengthBeats) => choose({ lengthBeats })}
          />
          <NumberInput
            name={`${key}.bpm`}
            label="BPM"
            of={name}
            field={BPM}
            typed={sound.bpm}
            onType={(bpm) => choose({ bpm })}
          />
        </>
      )}
      <NumberInput
        name={`${key}.gain`}
        label="Gain, dB"
        of={name}
        field={GAIN}
        typed={sound.gainDb}
        placeholder="0"
        onType={(gainDb) => choose({ gainDb })}
      />
      <ColorInput sound={sound} />
    </div>
  );
}

function RoleSelect({ sound }: { readonly sound: PageSound }): VNode {
  const { sounds } = usePage();
  const fieldId = useId();
  return (
    <div class="labelled">
      <label for={fieldId}>
        Role<span class="unseen"> of {sound.name}</span>
      </label>
      <select
        id={fieldId}
        value={sound.role ?? ""}
        onChange={(event) => sounds.choose(sound.key, { role: asRole(event.currentTarget.value) })}
      >
        <option value="">None</option>
        {SOUND_ROLES.map((role) => (
          <option key={role} value={role}>
            {formatRole(role)}
          </option>
        ))}
      </select>
    </div>
  );
}

function asRole(value: string): SoundRole | null {
  return SOUND_ROLES.find((role) => role === value) ?? null;
}
