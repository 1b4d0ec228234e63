import type { VNode } from "preact";
import type {
  PanelPlan,
  PanelSound,
  PanelTrackPlan,
  PanelUsablePackage,
} from "../../../core/protocol/panel-api.ts";
import { SoundOutline } from "../sounds/sound-outline.tsx";
import { keyOf } from "../sounds/sound-cache.ts";
import { PLAY_BYTES } from "../../../core/page/sound-limits.ts";
import { PlayButton } from "../../../web/play-button.tsx";
import { usePanel } from "../panel-context.ts";
import { formatSound } from "../text/format-sound.ts";

interface SoundListProps {
  readonly offered: PanelUsablePackage;
  readonly plan: PanelPlan | null;
}

/** The package's sounds with waveforms and playback (rule N6). */
export function SoundList({ offered, plan }: SoundListProps): VNode {
  const tracks = new Map(plan?.tracks.map((track) => [track.id, track]));
  return (
    <ul class="sounds">
      {offered.sounds.map((sound) => (
        <SoundRow
          key={sound.id}
          packageId={offered.packageId}
          sound={sound}
          track={tracks.get(sound.id)}
        />
      ))}
    </ul>
  );
}

interface SoundRowProps {
  readonly packageId: string;
  readonly sound: PanelSound;
  readonly track: PanelTrackPlan | undefined;
}

function SoundRow({ packageId, sound, track }: SoundRowProps): VNode {
  const { player, soundCache } = usePanel();
  const place = { packageId, soundId: sound.id };
  const isUsable = track === undefined || !("error" in track);
  const isTooLarge = (sound.bytes ?? 0) > PLAY_BYTES;
  return (
    <li>
      {isUsable && !isTooLarge ? (
        <PlayButton
          player={player}
          sound={keyOf(place)}
          decode={() => soundCache.decoded(place, PLAY_BYTES)}
          name={sound.name}
          isLoop={sound.kind === "loop"}
        />
      ) : (
        <span class="no-play" />
      )}
      <Swatch color={track?.color ?? null} />
      <div class="title">
        <bdi class="name">{sound.name}</bdi>
        <span class="facts">
          {formatSound(sound, track).map((piece) => (
            <span key={piece}>{piece}</span>
          ))}
          {isTooLarge && <span>too large to play here</span>}
        </span>
        {track !== undefined && <Remarks track={track} />}
      </div>
      {isUsable && <SoundOutline place={place} bytes={sound.bytes} track={track} />}
    </li>
  );
}

/** The clip's planned colour, if known. */
function Swatch({ color }: { readonly color: string | null }): VNode {
  if (color === null) return <span class="swatch" />;
  return (
    <span
      class="swatch"
      role="img"
      aria-label={`Colour ${color}`}
      title={color}
      style={{ background: color }}
    />
  );
}

/** The layout's error or notes for a sound. */
function Remarks({ track }: { readonly track: PanelTrackPlan }): VNode {
  if ("error" in track) return <p class="error">{track.error}</p>;
  return (
    <>
      {track.notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </>
  );
}
