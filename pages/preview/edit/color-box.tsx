import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ColorPicker } from "../../kit/clip-list/color-picker.tsx";
import { Dialog } from "../../kit/shell/dialog.tsx";
import { isHexColor } from "./field-values.ts";

interface ColorBoxProps {
  readonly label: string;
  /** As the manifest has it; empty for none. */
  readonly text: string;
  readonly isMixed: boolean;
  readonly isFixed: boolean;
  /** Gets `#RRGGBB`, or nothing for an automatic color. */
  readonly onPick: (text: string) => void;
}

/** A color as a button that opens the host's own colors. */
export function ColorBox({ label, text, isMixed, isFixed, onPick }: ColorBoxProps): VNode {
  const [isOpen, setIsOpen] = useState(false);
  const hex = isHexColor(text) ? `#${text.replace("#", "")}` : null;
  return (
    <>
      <button
        type="button"
        class="icon"
        aria-label={`${label}: choose from the host’s`}
        aria-haspopup="dialog"
        disabled={isFixed}
        onClick={() => setIsOpen(true)}
      >
        <span
          class={`clip-swatch ${hex === null ? "automatic" : ""}`}
          {...(hex !== null && { style: { background: hex } })}
        />
      </button>
      {isOpen && (
        <Dialog title={label} onClose={() => setIsOpen(false)}>
          <ColorPicker
            label={label}
            color={isMixed ? undefined : hex}
            onPick={(color) => onPick(color ?? "")}
          />
        </Dialog>
      )}
    </>
  );
}
