import type { VNode } from "preact";
import { formatRole } from "../../../core/text/format-role.ts";
import { formatNumber, t } from "../text.tsx";
import { kindName } from "./clip-facts.ts";
import type { ClipRow, ClipState } from "./clip-row.ts";
import { colorName } from "./color-name.ts";

/** Kind, role, tempo and beats of a row, each in its column. */
export function FactCells({ row }: { readonly row: ClipRow }): VNode {
  const { kind, role, tempoBpm, lengthBeats } = row;
  return (
    <>
      <span role="gridcell" class={`clip-kind ${kind === null ? "asks" : ""}`}>
        {kind === null ? t("clips.undecided-short") : kindName(t, kind)}
      </span>
      <span role="gridcell" class="clip-role">
        {role === null ? "" : formatRole(t, role)}
      </span>
      <span role="gridcell" class="clip-bpm number">
        {tempoBpm === null ? "" : formatNumber(tempoBpm)}
      </span>
      <span role="gridcell" class="clip-beats number">
        {lengthBeats === null ? "" : formatNumber(lengthBeats)}
      </span>
    </>
  );
}

/** A color as a small field; hatched if it is automatic. */
export function ColorCell({ color }: { readonly color: string | null }): VNode {
  const name = colorName(t, color);
  return (
    <span role="gridcell" class="clip-color" title={name}>
      <span
        class={`clip-swatch ${color === null ? "automatic" : ""}`}
        {...(color === null ? {} : { style: { background: color } })}
      />
      <span class="unseen">{name}</span>
    </span>
  );
}

/** A row's state in its reserved place: words in its tone, and a bar while it progresses. */
export function StateCell({ state }: { readonly state: ClipState | null }): VNode {
  return (
    <span role="gridcell" class="clip-state" title={state?.because ?? state?.words}>
      {state !== null && (
        <>
          <span class={`tone ${state.tone}`}>{state.words}</span>
          {state.progress !== undefined && (
            <span class="clip-progress" aria-hidden="true">
              <span style={{ inlineSize: `${Math.min(1, Math.max(0, state.progress)) * 100}%` }} />
            </span>
          )}
        </>
      )}
    </span>
  );
}
