import type { VNode } from "preact";
import type { PanelHost, PanelPlan } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/text.tsx";
import { formatTempo } from "../text/format-sound.ts";

interface TempoChoiceProps {
  readonly tempoBpm: number;
  readonly host: PanelHost;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Offers to set the session's tempo with the import (rule N5). */
export function TempoChoice({ tempoBpm, host, isOn, onChange }: TempoChoiceProps): VNode {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        {t("panel.set-tempo", { tempo: formatTempo(tempoBpm) })}{" "}
        <small>
          {t(host.name === "live" ? "panel.set-tempo-now-live" : "panel.set-tempo-now", {
            tempo: formatTempo(host.tempoBpm ?? 0),
          })}
        </small>
      </span>
    </label>
  );
}

/** Returns the loops' common tempo if the session's is known and differs; else null. */
export function tempoToOffer(
  plan: PanelPlan | null,
  { tempoBpm }: Pick<PanelHost, "tempoBpm">,
): number | null {
  const wanted = plan?.tempoBpm ?? null;
  if (wanted === null || tempoBpm === null) return null;
  return Math.abs(wanted - tempoBpm) > 0.005 ? wanted : null;
}
