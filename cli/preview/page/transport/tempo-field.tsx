import type { TargetedEvent, VNode } from "preact";
import { useState } from "preact/hooks";
import { MAX_BPM, MIN_BPM } from "../../../../core/limits.ts";
import type { PreviewReadScene } from "../../../../core/protocol/preview-api.ts";
import { usePreview } from "../preview-context.ts";

interface TempoFieldProps {
  readonly scene: PreviewReadScene;
  readonly tempoBpm: number;
}

/** The tempo that the chosen scene is played at. */
export function TempoField({ scene, tempoBpm }: TempoFieldProps): VNode {
  const { transport } = usePreview();
  const [isWrong, setIsWrong] = useState(false);
  const take = ({ currentTarget }: TargetedEvent<HTMLInputElement>): void => {
    const bpm = currentTarget.valueAsNumber;
    const isTempo = bpm >= MIN_BPM && bpm <= MAX_BPM;
    setIsWrong(!isTempo);
    if (isTempo) transport.setTempo(scene, bpm);
  };
  return (
    <label class="tempo">
      <span>Tempo</span>
      <input
        type="number"
        min={MIN_BPM}
        max={MAX_BPM}
        step="any"
        value={Number(tempoBpm.toFixed(3))}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? "tempo-error" : undefined}
        onChange={take}
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
