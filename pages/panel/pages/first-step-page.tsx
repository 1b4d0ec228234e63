import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PanelState, PanelConnection } from "../../../core/protocol/panel-api.ts";
import { Shell } from "../../kit/shell/shell.tsx";
import { t } from "../../kit/page-language.ts";
import type { DialogOpening } from "./dialogs.tsx";
import { Pairing } from "../pairing/pairing.tsx";
import type { PanelView } from "../panel-store.ts";
import { Header, PanelStatus } from "./header.tsx";
import { RelayForm } from "../settings/relay-form.tsx";
import { LiveSetup } from "../live/live-setup.tsx";
import { isLiveReady } from "../text/format-live.ts";

interface FirstStepPageProps extends DialogOpening {
  readonly step: FirstStep;
  readonly view: PanelView;
  readonly state: PanelState;
}

/**
 * The relay's address or the pairing code, which fill the page until a person continues (rule N14). The steps that set
 * up Live follow, if Live isn't set up yet (rule N22).
 */
export function FirstStepPage(props: FirstStepPageProps): VNode {
  const { step, view, state, opened, onOpen } = props;
  const isRelay = step.name === "relay";
  // They stay once they were shown, because nothing moves.
  const [setsUpLive] = useState(() => needsLiveSetup(state));
  return (
    <Shell
      header={<Header view={view} canPair={isRelay} onOpen={onOpen} />}
      status={<PanelStatus view={view} onOpen={onOpen} />}
      main={{
        label: isRelay ? t("panel.relay") : t("panel.pair"),
        content: (
          <div class="first-step">
            {isRelay ? (
              <FirstRun connection={state.connection} />
            ) : (
              <div>
                <h2 id="pairing" tabIndex={-1}>
                  {t("panel.pair")}
                </h2>
                <Pairing view={view} state={state} />
              </div>
            )}
            {setsUpLive && <FirstLiveSetup state={state} opened={opened} />}
          </div>
        ),
      }}
      footer={
        <button
          type="button"
          class={state.packages.length > 0 ? "primary first-step-end" : "first-step-end"}
          onClick={step.end}
        >
          {endWords(step, state)}
        </button>
      }
      screen="main"
      onBack={() => undefined}
    />
  );
}

/** Checks whether the computer has Live, and its control surface isn't set up. */
export function needsLiveSetup({ live }: PanelState): boolean {
  return live !== null && !isLiveReady(live);
}

interface FirstLiveSetupProps extends Pick<DialogOpening, "opened"> {
  readonly state: PanelState;
}

/** The steps that set up Live, with their title; nothing while a dialog shows the same steps. */
export function FirstLiveSetup({ state: { live }, opened }: FirstLiveSetupProps): VNode | null {
  if (live === null || opened === "live") return null;
  return (
    <div class="first-live">
      <h2>{t("panel.live-setup-title")}</h2>
      <LiveSetup live={live} />
    </div>
  );
}

function endWords({ name }: FirstStep, { packages, apps }: PanelState): string {
  if (packages.length > 0) return t("panel.pair-show", { count: packages.length });
  if (name === "relay") return t("panel.relay-later");
  return apps.length > 0 ? t("panel.pair-done") : t("panel.pair-later");
}

/** Asks for a relay at first run (rule N4). */
function FirstRun({ connection }: { readonly connection: PanelConnection }): VNode {
  return (
    <section class="first-run" aria-labelledby="first-run" data-then="pairing">
      <h2 id="first-run">{t("panel.relay-question")}</h2>
      <p class="quiet">{t("panel.relay-what")}</p>
      <RelayForm address={connection.suggestedRelayUrl} button={t("panel.relay-connect")} isFirst />
    </section>
  );
}

/** The step that fills the page before its first package. */
interface FirstStep {
  readonly name: "relay" | "pairing" | null;
  readonly end: () => void;
}

/**
 * Decides which step fills the page. The step is chosen once the importer has read everything, moves from the relay's
 * address to the pairing code, and ends only with a click (rule N14).
 */
export function useFirstStep(state: PanelState | null): FirstStep {
  const [name, setName] = useState<FirstStep["name"] | "unknown">("unknown");
  useEffect(() => {
    if (state === null || (state.isReading && isEmpty(state))) return;
    if (name === "unknown") setName(firstStepOf(state));
    else if (name === "relay" && state.connection.relayUrl !== null && !state.isReading) {
      setName(state.apps.length === 0 ? "pairing" : null);
    }
  }, [state, name]);
  return { name: name === "unknown" ? null : name, end: () => setName(null) };
}

function isEmpty({ apps, packages, runs }: PanelState): boolean {
  return apps.length === 0 && packages.length === 0 && runs.length === 0;
}

function firstStepOf({ connection, apps, packages, runs }: PanelState): FirstStep["name"] {
  if (packages.length > 0 || runs.length > 0) return null;
  if (connection.relayUrl === null) return "relay";
  return apps.length === 0 ? "pairing" : null;
}
