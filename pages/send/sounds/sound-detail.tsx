import type { VNode } from "preact";
import { formatRepairNote } from "../../../core/audio/repair-note.ts";
import { formatReasons } from "../../../core/guess/sound-guess.ts";
import type { ClipRow } from "../../kit/clip-list/clip-row.ts";
import { beatsOf } from "../../kit/clip-list/clip-play.tsx";
import { ClipWave } from "../../kit/clip-list/clip-wave.tsx";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import type { PageView } from "../page-view.ts";
import { Notes, focusSoon } from "../parts.tsx";
import { ColorField, SoundFields } from "./sound-fields.tsx";
import { groupOf } from "../../../client/send/session/guess-list.ts";
import { tempoOf } from "../../../client/send/session/open-questions.ts";
import type { SessionSound } from "../../../client/send/session/session-sound.ts";
import { BPM, numberOf } from "../../../client/send/session/typed-numbers.ts";
import { planSound } from "./plan-sound.ts";

interface SoundDetailProps {
  readonly view: PageView;
  readonly rows: readonly ClipRow[];
}

/** The selected sounds and their properties, which can be changed for all of them at once. */
export function SoundDetail({ view, rows }: SoundDetailProps): VNode {
  const { sounds } = usePage();
  const selected = view.sounds.filter(({ key }) => view.selection.keys.has(key));
  const [first] = selected;
  if (first === undefined) {
    return <p class="sound-detail quiet">{view.sounds.length > 0 && t("page.selectSound")}</p>;
  }
  const keys = selected.map(({ key }) => key);
  const free = selected.filter(({ key }) => groupOf(view, key) === undefined);
  const remove = (): void => {
    sounds.remove(keys);
    focusSoon("add-sounds");
  };
  const isOff = view.sending !== null;
  const label = t("page.details");
  return (
    // This keeps the details scrollable with the keyboard while the fields are disabled, and no disabled element has the focus.
    <div {...(isOff && { tabIndex: 0, role: "group", "aria-label": label })}>
      <fieldset class="sound-detail" disabled={isOff} aria-label={label}>
        <div class="sound-side">
          {selected.length === 1 ? (
            <OneSound sound={first} rows={rows} view={view} />
          ) : (
            <p>{t("clips.selected", { count: selected.length })}</p>
          )}
          {free.length < selected.length && <Notes sentences={[t("page.setTogether")]} />}
          <button type="button" class="remove" onClick={remove}>
            {t("page.remove", { count: keys.length })}
          </button>
        </div>
        <SoundFields {...{ selected, free, rows }} />
        <ColorField selected={selected} />
      </fieldset>
    </div>
  );
}

interface OneSoundProps extends SoundDetailProps {
  readonly sound: SessionSound;
}

/** One sound's waveform, the reasons for its guess, and notes. */
function OneSound({ sound, rows, view }: OneSoundProps): VNode {
  const { draftAudio } = usePage();
  const { key, guess, fileName } = sound;
  const row = rows.find((known) => known.key === key);
  const repairs = sound.repairs.map((note) => formatRepairNote(t, note));
  const { notes } = planSound(sound, numberOf(tempoOf(view), BPM));
  return (
    <>
      <ClipWave clipKey={key} audio={draftAudio} beats={row === undefined ? null : beatsOf(row)} />
      <p class="file-name quiet">
        <bdi>{fileName}</bdi>
      </p>
      <p class="because">{formatReasons(t, guess.reasons)}</p>
      {guess.key !== null && <p class="key">{t("page.key", { key: guess.key })}</p>}
      <Notes sentences={[...formatConversion(sound), ...repairs, ...notes]} />
    </>
  );
}

/** Describes the conversion of a file and its consequences for the sender; empty for a WAV. */
function formatConversion({ from, header }: SessionSound): readonly string[] {
  if (from === null) return [];
  const facts = { bits: header.bitsPerSample, kilohertz: header.sampleRateHz / 1000 };
  const { name: kind } = from;
  return [
    ...(from.isVideo ? [t("page.isVideo")] : []),
    kind === null ? t("page.converted", facts) : t("page.convertedFrom", { kind, ...facts }),
    ...(from.sampleRateHz === null ? [t("page.rateUnknown")] : []),
    ...(kind !== null && from.isPadded ? [t("page.padded", { kind })] : []),
  ];
}
