import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { formatPairingCode, formatPairingLink } from "../../../core/protocol/pairing-code.ts";
import { formatCountdown, formatSpan } from "../../../core/text/format-span.ts";
import { t } from "../../kit/page-language.ts";
import { PhoneDrawing, QrCode } from "./qr-code.tsx";

interface CodeViewProps {
  /** The pairing code; null once it has expired, and until there is one. */
  readonly code: string | null;
  readonly relayUrl: string;
  /**
   * The relay's address for a phone: null while devices in the network can't send, undefined where no phone ever
   * reaches the relay.
   */
  readonly scanAddress: string | null | undefined;
  readonly secondsLeft: number;
  /** A button beside the code that gets a new one. */
  readonly button: ComponentChildren;
  /** Content in place of a code. */
  readonly children: ComponentChildren;
}

/** Time before the end of a code at which the page warns. */
const WARNED_SECONDS = 60;

/** A code to type, to copy, to scan, or to use in this browser. Its parts keep their places without a code. */
export function CodeView(props: CodeViewProps): VNode {
  const { code, relayUrl, scanAddress, secondsLeft, button, children } = props;
  const isScannable = scanAddress !== undefined;
  const isEnding = secondsLeft < WARNED_SECONDS;
  const time = isEnding ? formatSpan(t, secondsLeft) : formatCountdown(secondsLeft);
  return (
    <div class={isScannable ? "code-view scannable" : "code-view"}>
      <div class="hint stacked">
        <p class={scanAddress ? "" : "room"}>{isScannable && t("panel.pair-code-or-scan")}</p>
        <p class={scanAddress ? "room" : ""}>{t("panel.pair-code")}</p>
      </div>
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
          {scanAddress === null ? (
            <PhoneDrawing />
          ) : (
            code !== null && <QrCode address={scanAddress} code={code} />
          )}
        </div>
      )}
      <p class="sending-page">
        <span>{t("panel.pair-first")}</span>{" "}
        <a
          href={code === null ? relayUrl : formatPairingLink(relayUrl, code)}
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
