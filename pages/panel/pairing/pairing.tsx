import type { VNode } from "preact";
import { useState, useEffect, useRef } from "preact/hooks";
import type { PanelPairing, PanelState, PanelApp } from "../../../core/protocol/panel-api.ts";
import { Refused } from "../../kit/action.tsx";
import { t } from "../../kit/page-language.ts";
import { Text } from "../../kit/text.tsx";
import { type PanelView, usePanel } from "../panel-store.ts";
import { secondsLeft, useNow } from "../use-now.ts";
import { CodeView } from "./code-view.tsx";
import { UnpairButton } from "./app-list.tsx";
import { sentenceOf } from "../../../core/text/sentence-of.ts";

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
  // Apps that were paired before this was opened aren't shown.
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
    <div class="pairing" role="status" data-then="pairing">
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

/** Interval at which the page reports that the code is in sight, because an unseen code ends (rule P2). */
const KEEP_EVERY_MS = 20_000;

interface PairingCode {
  /** Asks for a new code, which replaces the one that is shown. */
  readonly ask: () => void;
  /** The reason why the last request failed, as a sentence. */
  readonly error: string | null;
}

/**
 * Asks for a code once and keeps it, because the importer ends a code that no page shows. Only a click replaces a code
 * that has expired.
 * @param isWanted true if there is no code and the relay can give one
 */
function usePairingCode(isWanted: boolean): PairingCode {
  const { store } = usePanel();
  const [error, setError] = useState<string | null>(null);
  const wasAsked = useRef(false);
  const ask = async (fresh: boolean): Promise<void> => {
    wasAsked.current = true;
    setError(null);
    try {
      await store.calls.send("openCode", { fresh });
    } catch (failure) {
      setError(sentenceOf(failure));
    }
  };
  useEffect(() => {
    if (isWanted && !wasAsked.current && !document.hidden) void ask(false);
  }, [isWanted]);
  useKeptCode();
  return { ask: () => void ask(true), error };
}

function useKeptCode(): void {
  const { store } = usePanel();
  useEffect(() => {
    const keep = (): void => {
      store.calls.send("keepCode", { visible: !document.hidden }).catch(ignoreLoss);
    };
    const timer = setInterval(keep, KEEP_EVERY_MS);
    document.addEventListener("visibilitychange", keep);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", keep);
      store.calls.send("closeCode").catch(ignoreLoss);
    };
  }, [store]);
}

/** Ignores a lost call, which only ends the code earlier or later; the page's connection has its own message. */
function ignoreLoss(): void {
  return undefined;
}
