import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { nearestColor, formatColor, PALETTE } from "../../../core/layout/palette.ts";
import { t } from "../page-language.ts";
import { colorKey, moveInColors } from "./colors.ts";

interface ColorPickerProps {
  readonly label: string;
  /** `#RRGGBB`; null means automatic, undefined means none, where sounds differ. */
  readonly color: string | null | undefined;
  readonly onPick: (color: string | null) => void;
}

const INDEXES: readonly number[] = PALETTE.map((_, index) => index);

/**
 * A picker with Automatic and Live's 70 colors, 14 a row as in Live (10 on a phone). Arrow keys pick, as in any group
 * of radio buttons. A color that Live doesn't have is shown as the nearest one that Live has.
 */
export function ColorPicker({ label, color, onPick }: ColorPickerProps): VNode {
  const grid = useRef<HTMLDivElement>(null);
  const picked = color === undefined ? undefined : color === null ? -1 : nearestColor(color);
  const stop = picked ?? -1;
  const pick = (index: number): void => {
    onPick(index === -1 ? null : formatColor(index));
    grid.current?.querySelector<HTMLElement>(`[data-color="${index}"]`)?.focus();
  };
  return (
    <div
      class="color-picker"
      role="radiogroup"
      aria-label={label}
      onKeyDown={(event) => {
        const at = document.activeElement instanceof HTMLElement ? document.activeElement : null;
        const next = moveInColors(
          event.key,
          Number(at?.dataset["color"] ?? stop),
          columnsOf(grid.current),
        );
        if (next === null || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        pick(next);
      }}
    >
      <div class="color-grid" ref={grid}>
        {[-1, ...INDEXES].map((index) => (
          <button
            key={index}
            type="button"
            role="radio"
            class={`color-choice ${index === -1 ? "automatic" : ""}`}
            data-color={index}
            aria-checked={index === picked}
            tabIndex={index === stop ? 0 : -1}
            {...colorLook(index)}
            onClick={() => pick(index)}
          >
            {index === -1 && t("color.automatic")}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Counts the colors in a row, which the style decides. */
function columnsOf(grid: HTMLElement | null): number {
  return grid === null ? 1 : getComputedStyle(grid).gridTemplateColumns.split(" ").length;
}

function colorLook(index: number) {
  if (index === -1) return {};
  const name = t(colorKey(index));
  return { "aria-label": name, title: name, style: { background: formatColor(index) } };
}
