import type { VNode } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import type { SoundGroup } from "../../../client/send/session/guess-list.ts";
import { BPM, isWrong } from "../../../client/send/session/typed-numbers.ts";
import { formatRecording } from "../../../core/guess/guess-sounds.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import { focusSoon } from "../parts.tsx";
import type { PageView } from "../page-view.ts";

/** The recordings among the sounds, below the list, so that a new one moves no row (rules G13 and G19). */
export function GroupBars({ view }: { readonly view: PageView }): VNode | null {
  if (view.groups.length === 0) return null;
  return (
    <div class="groups">
      {view.groups.map((group) => (
        <GroupBar key={group.members[0]} group={group} isOff={view.sending !== null} />
      ))}
    </div>
  );
}

interface GroupBarProps {
  readonly group: SoundGroup;
  readonly isOff: boolean;
}

/** A recording: how its files play, all as recorded or all in time at one tempo. */
function GroupBar({ group, isOff }: GroupBarProps): VNode {
  const { sounds } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const isInTime = group.bpm !== null;
  const playInTime = (): void => {
    if (group.knownBpm === null) field.current?.focus();
    else sounds.playInTime(group, true);
  };
  const separate = (): void => {
    sounds.separate(group);
    focusSoon("add-sounds");
  };
  return (
    <fieldset class="group" aria-labelledby={id} disabled={isOff}>
      <p id={id}>{formatRecording(t, group)}</p>
      <button type="button" class="plain" onClick={separate}>
        {t("page.separate")}
      </button>
      <div class="group-timing">
        <button
          type="button"
          aria-pressed={!isInTime}
          onClick={() => sounds.playInTime(group, false)}
        >
          {t("page.asRecorded")}
        </button>
        <button type="button" aria-pressed={isInTime} onClick={playInTime}>
          {t("page.inTimeAt")}
        </button>
        <TempoField group={group} field={field} />
      </div>
    </fieldset>
  );
}

interface TempoFieldProps {
  readonly group: SoundGroup;
  readonly field: { current: HTMLInputElement | null };
}

/** The tempo of a recording. A number that is being typed stays in the field until it is a tempo. */
function TempoField({ group, field }: TempoFieldProps): VNode {
  const { sounds } = usePage();
  const [typed, setTyped] = useState<string | null>(null);
  const known = group.knownBpm === null ? "" : formatNumber(group.knownBpm, 6);
  const isBad = isWrong(typed ?? known, BPM);
  const type = (text: string): void => {
    setTyped(text);
    sounds.setGroupTempo(group, text);
  };
  return (
    <input
      ref={field}
      class="number"
      inputMode="decimal"
      autocomplete="off"
      maxLength={12}
      value={typed ?? known}
      placeholder={t("clips.bpm")}
      aria-label={t("page.tempoBpm")}
      aria-invalid={isBad}
      title={isBad ? BPM.sentence(t) : undefined}
      onInput={(event) => type(event.currentTarget.value)}
      onBlur={() => setTyped(null)}
    />
  );
}
