import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { isThisComputer } from "../../../core/protocol/is-this-computer.ts";
import { formatPairingCode } from "../../../core/protocol/pairing-code.ts";
import { formatSpan } from "../../../core/page/format-span.ts";
import { QrCode } from "./qr-code.tsx";

interface CodeViewProps {
  readonly code: string;
  readonly relayUrl: string;
  readonly secondsLeft: number;
}

/** A code to type, to copy, or to scan. */
export function CodeView({ code, relayUrl, secondsLeft }: CodeViewProps): VNode {
  // On a phone, a loopback address means the phone itself.
  const isScannable = !isThisComputer(new URL(relayUrl).hostname);
  return (
    <div class={isScannable ? "code-view" : ""}>
      <p class="code" role="img" aria-label={`Pairing code ${code.split("").join(" ")}`}>
        {formatPairingCode(code)}
      </p>
      <div class="code-parts">
        <p class="facts" role="timer" aria-live="off">
          Expires in {formatSpan(secondsLeft)}
        </p>
        <CopyButton code={code} />
        <p class="quiet hint">
          Enter this code in the app you want to send from{isScannable && ", or scan it"}.
        </p>
      </div>
      {isScannable && (
        <QrCode text={`${relayUrl}/#code=${code}`} label="The pairing code to scan with a phone" />
      )}
    </div>
  );
}

/** Renders nothing without a clipboard, as in Live's dialog: the code can be selected. */
function CopyButton({ code }: Pick<CodeViewProps, "code">): VNode | null {
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
    <button type="button" onClick={copy}>
      {copied === code ? "Copied" : "Copy"}
      <span class="unseen"> the pairing code</span>
    </button>
  );
}
