import type { TargetedEvent, VNode } from "preact";
import { useState } from "preact/hooks";
import { MAX_BPM, MIN_BPM } from "../../../core/limits.ts";
import type { PreviewReadScene } from "../../../core/protocol/preview-api.ts";
import { usePreview } from "../preview-context.ts";

interface TempoFieldProps {
  readonly scene: PreviewReadScene;
  readonly tempoBpm: number;
}

/** The tempo of the chosen scene; if emptied, the scene's own. */
export function TempoField({ scene, tempoBpm }: TempoFieldProps): VNode {
  const { transport } = usePreview();
  // Keeps unfinished input, because the page may render between two keys.
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
