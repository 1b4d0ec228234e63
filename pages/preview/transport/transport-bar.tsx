import type { VNode, TargetedEvent } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import type { PreviewReadScene, PreviewScene } from "../../../core/protocol/preview-api.ts";
import { usableTracks } from "../../../core/layout/usable-tracks.ts";
import { BarSlider } from "../../kit/playback/bar-slider.tsx";
import { sceneBeats } from "../../kit/playback/plan-playback.ts";
import { VolumeSlider } from "../../kit/playback/volume-slider.tsx";
import { useView, usePicked } from "../../kit/use-view.ts";
import { usePreview } from "../preview-store.ts";
import { PlaySceneButton } from "./play-scene-button.tsx";
import { isPlayable, tempoOf } from "./chosen-scene.ts";
import { MAX_BPM, MIN_BPM } from "../../../core/limits.ts";

interface TransportBarProps {
  readonly scenes: readonly PreviewScene[];
  /** The scene in sight, which Play plays. */
  readonly picked: PreviewScene | undefined;
}

/** Plays the picked scene at a tempo, or stops the one that plays. */
export function TransportBar({ scenes, picked }: TransportBarProps): VNode {
  const { player, transport } = usePreview();
  const { played } = useView(transport);
  const playingKey = usePicked(player, ({ sceneKey }) => sceneKey);
  // This happens before painting, because the playing scene is shown, too.
  useLayoutEffect(() => void transport.follow(scenes), [transport, scenes]);
  const playing = playingKey === null ? undefined : played.get(playingKey);
  const scene = playing ?? (picked !== undefined && isPlayable(picked) ? picked : undefined);
  return (
    // The group gets the focus when the transport changes to another scene.
    <div class="transport" role="group" aria-label="Transport" tabIndex={-1}>
      {scene === undefined ? (
        <p class="quiet">There is nothing to play here.</p>
      ) : (
        <SceneTransport scene={scene} isCurrent={scenes.includes(scene)} />
      )}
      <VolumeSlider player={player} />
    </div>
  );
}

interface SceneTransportProps {
  readonly scene: PreviewReadScene;
  /** True if the scene is the one on disk; otherwise it plays on unchanged. */
  readonly isCurrent: boolean;
}

function SceneTransport({ scene, isCurrent }: SceneTransportProps): VNode {
  const { player, transport } = usePreview();
  const tempoBpm = tempoOf(scene, useView(transport));
  const notice = usePicked(player, (view) => (view.sceneKey === null ? null : view.notice));
  const hint = isCurrent ? (notice ?? "") : PLAYS_ON;
  return (
    <>
      <PlaySceneButton scene={scene} />
      <bdi class="name" title={scene.name}>
        {scene.name}
      </bdi>
      <TempoField key={scene.key} scene={scene} tempoBpm={tempoBpm} />
      <BarSlider
        key={`bars ${scene.key}`}
        player={player}
        sceneKey={scene.key}
        beats={sceneBeats(usableTracks(scene), tempoBpm)}
        beatsPerBar={scene.beatsPerBar}
      />
      <p class="hint" title={hint}>
        {hint}
      </p>
    </>
  );
}

const PLAYS_ON = "Sounds that can’t be used right now keep playing as they were.";

interface TempoFieldProps {
  readonly scene: PreviewReadScene;
  readonly tempoBpm: number;
}

/** The tempo of the chosen scene; an empty field means the scene's own. */
function TempoField({ scene, tempoBpm }: TempoFieldProps): VNode {
  const { transport } = usePreview();
  // This keeps unfinished input, because the page may render between two keys.
  const [typed, setTyped] = useState<string | null>(null);
  const [isWrong, setIsWrong] = useState(false);
  const take = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => {
    const { valueAsNumber: bpm, validity } = currentTarget;
    setIsWrong(!validity.valid);
    if (!validity.valid) return;
    setTyped(null);
    transport.setTempo(scene, Number.isNaN(bpm) ? null : bpm);
  };
  return (
    <label class="tempo">
      <span>Tempo</span>
      <input
        type="number"
        min={MIN_BPM}
        max={MAX_BPM}
        step="any"
        value={typed ?? Number(tempoBpm.toFixed(3))}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? "tempo-error" : undefined}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        onChange={take}
        onBlur={({ currentTarget }) => currentTarget.validity.valid && setTyped(null)}
      />
      <span>BPM</span>
      {isWrong && (
        <span id="tempo-error" class="error" role="alert">
          A tempo from {MIN_BPM} to {MAX_BPM} BPM.
        </span>
      )}
    </label>
  );
}
