import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PanelPairing, PanelState, PanelApp } from "../../../core/protocol/panel-api.ts";
import { isThisComputer } from "../../../core/protocol/judge-host.ts";
import { Refused } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";
import { Text } from "../../kit/text.tsx";
import { LanPairing } from "../lan/lan-pairing.tsx";
import type { PanelView } from "../panel-store.ts";
import { secondsLeft, useNow } from "../use-now.ts";
import { CodeView } from "./code-view.tsx";
import { UnpairButton } from "./app-list.tsx";
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
  const { pairing, connection, apps, lan } = state;
  const left = secondsLeft(pairing.expiresInSeconds ?? 0, view.readAtMs, useNow(1000));
  const code = left > 0 ? pairing.code : null;
  // Apps that were paired before this was opened aren't shown.
  const [known, setKnown] = useState(() => new Set(apps.map(({ pairingId }) => pairingId)));
  const paired = apps.find(({ pairingId }) => !known.has(pairingId)) ?? null;
  const [network, setNetwork] = useState<string | null>(null);
  const [hadCode, setHadCode] = useState(false);
  if (code !== null && !hadCode) setHadCode(true);
  const canAsk = view.link === "live" && connection.status === "connected";
  const { ask, error } = usePairingCode(canAsk && code === null && paired === null && !hadCode);
  const { relayUrl } = connection;
  if (relayUrl === null) return null;
  const askAgain = (): void => {
    setKnown(new Set(apps.map(({ pairingId }) => pairingId)));
    ask();
  };
  const lanAddress = lan?.addresses.find((each) => each === network) ?? lan?.addresses[0] ?? null;
  const isDone = paired !== null;
  return (
    <>
      <div class="pairing stacked">
        <div class={isDone ? "room" : ""}>
          <CodeView
            code={isDone ? null : code}
            relayUrl={relayUrl}
            scanAddress={lan === null ? addressForPhone(relayUrl) : lanAddress}
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
            {code === null && !isDone && noCode({ canAsk, hadCode, error, ended: pairing.ended })}
            <Refused error={code === null ? error : null} />
          </CodeView>
        </div>
        {isDone && <PairedApp app={paired} canAsk={canAsk} onNewCode={askAgain} />}
      </div>
      {lan !== null && (
        <LanPairing
          lan={lan}
          relayUrl={relayUrl}
          address={lanAddress}
          isScannable={code !== null && !isDone}
          onChoose={setNetwork}
        />
      )}
    </>
  );
}

/** Returns undefined for a loopback address, which means the phone itself on a phone. */
function addressForPhone(relayUrl: string): string | undefined {
  return isThisComputer(new URL(relayUrl).hostname) ? undefined : relayUrl;
}

/** The reason why no code is shown. */
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

interface PairedAppProps {
  readonly app: PanelApp;
  readonly canAsk: boolean;
  readonly onNewCode: () => void;
}

/** The app that used the code. */
function PairedApp({ app, canAsk, onNewCode }: PairedAppProps): VNode {
  return (
    <div class="paired-app" role="status" data-then="pairing">
      <p class="paired">
        <Text of="panel.paired-with" params={{ app: <bdi>{app.name}</bdi> }} />
      </p>
      <p>{t("panel.paired-next")}</p>
      <div class="buttons">
        {canAsk && (
          <button type="button" onClick={onNewCode}>
            {t("panel.pair-another")}
          </button>
        )}
      </div>
      <div class="paired-not-you">
        <span class="quiet">{t("panel.paired-not-you")}</span>
        <UnpairButton app={{ ...app, isNew: true }} />
      </div>
    </div>
  );
}
