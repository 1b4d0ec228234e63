import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { encode } from "uqr";

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/** A QR code, dark on light in both themes: not every camera reads the inverse. */
export function QrCode({ text, label }: QrCodeProps): VNode {
  const { size, path } = useMemo(() => drawModules(text), [text]);
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
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
