import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { encode } from "uqr";
import { formatPairingLink } from "../../../core/protocol/pairing-code.ts";
import { t } from "../../kit/page-language.ts";

interface QrCodeProps {
  /** The relay's base address, as the phone can reach it. */
  readonly address: string;
  readonly code: string;
}

/** The link that pairs as a QR code, dark on light in both themes, because not every camera reads the inverse. */
export function QrCode({ address, code }: QrCodeProps): VNode {
  const link = formatPairingLink(address, code);
  const { size, path } = useMemo(() => drawModules(link), [link]);
  return (
    <svg class="qr" role="img" aria-label={t("panel.pair-qr")} viewBox={`0 0 ${size} ${size}`}>
      <path d={path} />
    </svg>
  );
}

/** Draws each horizontal run of dark modules as one box. */
function drawModules(text: string): { readonly size: number; readonly path: string } {
  const { size, data } = encode(text, { ecc: "M", border: 2 });
  const boxes = data.flatMap((row, y) => {
    const dark = row.map((isDark) => (isDark ? "1" : "0")).join("");
    return [...dark.matchAll(/1+/g)].map(
      (run) => `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`,
    );
  });
  return { size, path: boxes.join("") };
}

/** A phone in the place of a QR code. */
export function PhoneDrawing(): VNode {
  return (
    <svg class="no-qr" viewBox="0 0 48 48" aria-hidden="true">
      <rect class="stroke" x="15" y="6" width="18" height="36" rx="3" />
      <path class="stroke" d="M22 37.5h4" />
    </svg>
  );
}
