import type { VNode } from "preact";
import { MAX_NAME_LENGTH } from "../../../core/limits.ts";
import { PLAY_BYTES } from "../../../core/page/sound-limits.ts";
import { PlayButton } from "../../../web/play-button.tsx";
import { usePage } from "../page-context.ts";
import { Notes } from "../parts/notes.tsx";
import { Outline } from "./outline.tsx";
import type { PageSound } from "./page-sound.ts";
import { planSound } from "./plan-sound.ts";
import { SoundFields } from "./sound-fields.tsx";
import { Suggestion } from "./suggestion.tsx";

interface SoundRowProps {
  readonly sound: PageSound;
  /** Starts at 1. */
  readonly position: number;
  readonly packageBpm: number | undefined;
}

/** One sound: its waveform, playback, fields, and a button to remove it. */
export function SoundRow({ sound, position, packageBpm }: SoundRowProps): VNode {
  const { sounds, player, soundCache } = usePage();
  const { key, name, source } = sound;
  const { pieces, notes, tempoBpm } = planSound(sound, packageBpm);
  const remove = (): void => {
    sounds.remove(key);
    document.getElementById("add-sounds")?.focus();
  };
  return (
    <li class="sound">
      <div class="line">
        {source.size <= PLAY_BYTES && (
          <PlayButton
            player={player}
            sound={source}
            decode={() => soundCache.decoded(source)}
            name={name}
            isLoop={sound.kind === "loop"}
          />
        )}
        {sound.color !== null && <span class="swatch" style={{ background: sound.color }} />}
        <input
          class="name title"
          aria-label={`Name of sound ${position}`}
          value={name}
          maxLength={2 * MAX_NAME_LENGTH}
          placeholder={`Sound ${position}`}
          autocomplete="off"
          onInput={(event) => sounds.choose(key, { name: event.currentTarget.value })}
        />
        <Outline sound={sound} tempoBpm={tempoBpm} />
        <button type="button" class="plain" aria-label={`Remove ${name}`} onClick={remove}>
          Remove
        </button>
      </div>
      <SoundFields sound={sound} />
      <Suggestion sound={sound} packageBpm={packageBpm} />
      <p class="facts">
        {pieces.map((piece) => (
          <span key={piece}>{piece}</span>
        ))}
      </p>
      <Notes sentences={[...sound.notes, ...notes]} />
    </li>
  );
}
