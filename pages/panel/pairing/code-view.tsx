import type { ComponentChildren, VNode } from "preact";
import { useState, useMemo } from "preact/hooks";
import { encode } from "uqr";
import { isThisComputer } from "../../../core/protocol/judge-host.ts";
import { formatPairingCode } from "../../../core/protocol/pairing-code.ts";
import { formatCountdown, formatSpan } from "../../../core/text/format-span.ts";
import { t } from "../../kit/page-language.ts";

interface CodeViewProps {
  /** The pairing code; null once it has expired, and until there is one. */
  readonly code: string | null;
  readonly relayUrl: string;
  readonly secondsLeft: number;
  /** A button beside the code that gets a new one. */
  readonly button: ComponentChildren;
  /** Content in place of a code. */
  readonly children: ComponentChildren;
}

/** Time before the end of a code at which the page warns. */
const WARNED_SECONDS = 60;

/** A code to type, to copy, to scan, or to use in this browser. Its parts keep their places without a code. */
export function CodeView({ code, relayUrl, secondsLeft, button, children }: CodeViewProps): VNode {
  // On a phone, a loopback address means the phone itself.
  const isScannable = !isThisComputer(new URL(relayUrl).hostname);
  const isEnding = secondsLeft < WARNED_SECONDS;
  const time = isEnding ? formatSpan(t, secondsLeft) : formatCountdown(secondsLeft);
  return (
    <div class={isScannable ? "code-view scannable" : "code-view"}>
      <p class="hint">{isScannable ? t("panel.pair-code-or-scan") : t("panel.pair-code")}</p>
      <div class="code-box">
        {code === null ? (
          children
        ) : (
          <p
            class="code"
            role="img"
            aria-label={t("panel.pair-code-label", { code: code.split("").join(" ") })}
          >
            {formatPairingCode(code)}
          </p>
        )}
      </div>
      <div class="code-parts">
        {code !== null && (
          <p class={isEnding ? "tone mixed" : "quiet"} role="timer" aria-live="off">
            {isEnding ? t("panel.pair-soon", { time }) : t("panel.pair-left", { time })}
          </p>
        )}
      </div>
      <div class="buttons code-buttons">
        <span class="copy">{code !== null && <CopyButton code={code} />}</span>
        {button}
      </div>
      {isScannable && (
        <div class="qr-box">
          {code !== null && (
            <QrCode text={`${relayUrl}/#code=${code}`} label={t("panel.pair-qr")} />
          )}
        </div>
      )}
      <p class="sending-page">
        <span>{t("panel.pair-first")}</span>{" "}
        <a
          href={code === null ? relayUrl : `${relayUrl}/#code=${code}`}
          target="_blank"
          rel="noreferrer"
        >
          {t("panel.pair-open-page")}
        </a>
      </p>
    </div>
  );
}

/** Copies the code. Without a clipboard, as in Live's dialog, it renders nothing; the code can be selected. */
function CopyButton({ code }: { readonly code: string }): VNode | null {
  const [copied, setCopied] = useState<string | null>(null);
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- there is none outside secure contexts
  if (navigator.clipboard === undefined) return null;
  const copy = (): void => {
    navigator.clipboard.writeText(formatPairingCode(code)).then(
      () => setCopied(code),
      () => setCopied(null),
    );
  };
  return (
    <button type="button" aria-label={t("panel.pair-copy-label")} onClick={copy}>
      {copied === code ? t("panel.pair-copied") : t("panel.pair-copy")}
    </button>
  );
}

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/** A QR code, dark on light in both themes, because not every camera reads the inverse. */
function QrCode({ text, label }: QrCodeProps): VNode {
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
