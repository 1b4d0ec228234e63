import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PanelPairing, PanelState } from "../../../core/protocol/panel-api.ts";
import { Refused } from "../../kit/refused.tsx";
import { t } from "../../kit/text.tsx";
import type { PanelView } from "../panel-store.ts";
import { secondsLeft, useNow } from "../use-now.ts";
import { CodeView } from "./code-view.tsx";
import { PairedApp } from "./paired-app.tsx";
import { usePairingCode } from "./use-pairing-code.ts";

interface PairingProps {
  readonly view: PanelView;
  readonly state: PanelState;
}

/**
 * A pairing code while it is shown, then the app that used it until the person goes on (rule N14). Its parts keep
 * their room.
 */
export function Pairing({ view, state }: PairingProps): VNode | null {
  const { pairing, connection, apps } = state;
  const left = secondsLeft(pairing.expiresInSeconds ?? 0, view.readAtMs, useNow(1000));
  const code = left > 0 ? pairing.code : null;
  // An app that was paired before this was opened is no news.
  const [known, setKnown] = useState(() => new Set(apps.map(({ pairingId }) => pairingId)));
  const paired = apps.find(({ pairingId }) => !known.has(pairingId)) ?? null;
  const [hadCode, setHadCode] = useState(false);
  if (code !== null && !hadCode) setHadCode(true);
  const canAsk = view.link === "live" && connection.status === "connected";
  const { ask, error } = usePairingCode(canAsk && code === null && paired === null && !hadCode);
  if (connection.relayUrl === null) return null;
  const askAgain = (): void => {
    setKnown(new Set(apps.map(({ pairingId }) => pairingId)));
    ask();
  };
  if (paired !== null) return <PairedApp app={paired} canAsk={canAsk} onNewCode={askAgain} />;
  return (
    <div class="pairing">
      <CodeView
        code={code}
        relayUrl={connection.relayUrl}
        secondsLeft={left}
        button={
          canAsk &&
          (hadCode || error !== null) && (
            <button type="button" class={code === null ? "primary" : ""} onClick={askAgain}>
              {error === null ? t("panel.pair-new-code") : t("panel.retry")}
            </button>
          )
        }
      >
        {code === null && noCode({ canAsk, hadCode, error, ended: pairing.ended })}
        <Refused error={code === null ? error : null} />
      </CodeView>
    </div>
  );
}

/** Why no code is shown. */
function noCode(of: {
  readonly canAsk: boolean;
  readonly hadCode: boolean;
  readonly error: string | null;
  readonly ended: PanelPairing["ended"];
}): VNode | null {
  if (!of.canAsk) return <p class="quiet">{t("panel.pair-offline")}</p>;
  if (of.error !== null) return null;
  if (of.ended !== undefined) return <p>{t(`panel.pair-${of.ended}`)}</p>;
  return <p class="quiet">{of.hadCode ? t("panel.pair-hidden") : t("panel.pair-getting")}</p>;
}
