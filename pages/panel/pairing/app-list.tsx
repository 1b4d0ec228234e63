import type { VNode } from "preact";
import { useLayoutEffect, useId, useRef, useState } from "preact/hooks";
import type { PanelApp } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";
import { useNow } from "../use-now.ts";
import { formatMoment } from "../text/format-moment.ts";
import { usePanel } from "../panel-store.ts";
import { Refused, useAction, onEscape } from "../../kit/action.tsx";

/** The paired apps; marks new ones. */
export function AppList({ apps }: { readonly apps: readonly PanelApp[] }): VNode {
  // Keeps “5 min ago” up to date.
  useNow(60_000);
  return (
    <section aria-labelledby="apps">
      <h3 id="apps" tabIndex={-1}>
        {t("panel.apps")}
      </h3>
      {apps.length === 0 && <p class="quiet">{t("panel.apps-none")}</p>}
      <ul class="apps">
        {apps.map((app) => (
          <li key={app.pairingId} data-then="apps">
            <div class="title">
              <bdi class="name">{app.name}</bdi>
              <span class="facts">
                {app.isNew && <strong>{t("panel.app-new")}</strong>}
                <span>
                  {t("panel.app-seen", { when: formatMoment(app.lastSeenAt, Date.now()) })}
                </span>
              </span>
            </div>
            <UnpairButton app={app} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/**
 * Unpairs an app after a question. A new app, which someone else may have paired, is unpaired at once, unless packages go
 * with it.
 */
export function UnpairButton({ app }: { readonly app: PanelApp }): VNode {
  const { store } = usePanel();
  const { begin, error } = useAction();
  const buttonId = useId();
  const [isAsked, setIsAsked] = useState(false);
  const unpair = (): void => begin(() => store.calls.send("unpair", { pairing_id: app.pairingId }));
  return (
    <div class="act">
      {isAsked ? (
        <Question app={app} buttonId={buttonId} onYes={unpair} onNo={() => setIsAsked(false)} />
      ) : (
        <button
          type="button"
          id={buttonId}
          aria-label={t("panel.unpair-title", { app: app.name })}
          onClick={app.isNew && app.waitingPackages === 0 ? unpair : () => setIsAsked(true)}
        >
          {t("panel.unpair")}
        </button>
      )}
      <Refused error={error} />
    </div>
  );
}

interface QuestionProps {
  readonly app: PanelApp;
  /** Id of the button that opened the question and gets the focus back. */
  readonly buttonId: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/**
 * Asks before an app is unpaired, and says how many packages go with it. It takes the focus, and Escape means No. Keep
 * takes Unpair's place, so that a second click does no harm.
 */
function Question({ app, buttonId, onYes, onNo }: QuestionProps): VNode {
  const { name, waitingPackages: count } = app;
  const lossId = useId();
  const no = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => no.current?.focus(), []);
  return (
    <div
      class="question"
      data-then={buttonId}
      role="group"
      aria-label={t("panel.unpair-question", { app: name })}
      aria-describedby={count > 0 ? lossId : undefined}
      onKeyDown={onEscape(onNo)}
    >
      {count > 0 && <p id={lossId}>{t("panel.unpair-packages", { count })}</p>}
      <button
        type="button"
        class="danger"
        aria-label={t("panel.unpair-title", { app: name })}
        onClick={onYes}
      >
        {t("panel.unpair")}
      </button>
      <button
        type="button"
        ref={no}
        aria-label={t("panel.keep-title", { app: name })}
        onClick={onNo}
      >
        {t("panel.keep")}
      </button>
    </div>
  );
}
