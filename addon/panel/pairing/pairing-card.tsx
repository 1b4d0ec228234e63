import type { VNode } from "preact";
import { Refused } from "../../../web/refused.tsx";
import type { PanelApp, PanelPairing } from "../../../core/protocol/panel-api.ts";
import { usePanel } from "../panel-context.ts";
import { useAction } from "../../../web/use-action.ts";
import { secondsLeft, useNow } from "../use-now.ts";
import { CodeView } from "./code-view.tsx";
import { UnpairButton } from "./unpair-button.tsx";
import { useCodeWanted } from "./use-code-wanted.ts";

interface PairingCardProps {
  readonly pairing: PanelPairing;
  /** The app that used the last code, if still paired. */
  readonly app: PanelApp | null;
  readonly relayUrl: string;
  readonly readAtMs: number;
  /** Whether the relay can create a code now. */
  readonly canAsk: boolean;
}

/** The pairing code, or the app that has used it. */
export function PairingCard(props: PairingCardProps): VNode {
  const { pairing, app, relayUrl, readAtMs, canAsk } = props;
  const { store } = usePanel();
  const { begin, error } = useAction();
  const left = secondsLeft(pairing.expiresInSeconds ?? 0, readAtMs, useNow(1000));
  const code = left > 0 ? pairing.code : null;
  const askForCode = (): void => begin(() => store.calls.askForCode());
  useCodeWanted(canAsk && code === null && pairing.usedBy === null, askForCode);
  return (
    <section aria-labelledby="pairing" class="card" data-then="pairing">
      <h2 id="pairing" tabIndex={-1}>
        Pair an app
      </h2>
      {code !== null && <CodeView code={code} relayUrl={relayUrl} secondsLeft={left} />}
      {code === null && pairing.usedBy !== null && (
        <UsedCode usedBy={pairing.usedBy} app={app} canAsk={canAsk} onNewCode={askForCode} />
      )}
      {code === null && pairing.usedBy === null && (
        <NoCode error={error} canAsk={canAsk} onNewCode={askForCode} />
      )}
    </section>
  );
}

interface NoCodeProps {
  readonly error: string | null;
  readonly canAsk: boolean;
  readonly onNewCode: () => void;
}

function NoCode({ error, canAsk, onNewCode }: NoCodeProps): VNode {
  if (!canAsk) return <p class="quiet">You’ll get a code once the relay is back online.</p>;
  if (error === null) return <p class="quiet">Getting a code…</p>;
  return (
    <>
      <Refused error={error} />
      <button type="button" onClick={onNewCode}>
        Try again
      </button>
    </>
  );
}

interface UsedCodeProps {
  readonly usedBy: string;
  readonly app: PanelApp | null;
  readonly canAsk: boolean;
  readonly onNewCode: () => void;
}

function UsedCode({ usedBy, app, canAsk, onNewCode }: UsedCodeProps): VNode {
  return (
    <>
      <p class="paired">
        Paired with <bdi>{usedBy}</bdi>
      </p>
      <div class="buttons">
        {canAsk && (
          <button type="button" onClick={onNewCode}>
            New code
          </button>
        )}
        {app !== null && <UnpairButton app={app} />}
      </div>
    </>
  );
}
