import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../kit/page-language.ts";
import { useView } from "../kit/use-view.ts";
import { CalmPage } from "./calm-page.tsx";
import { Elsewhere } from "./elsewhere.tsx";
import { FirstVisit } from "./first-visit.tsx";
import type { ReceiveState } from "./importer/receive-state.ts";
import { ReceivingPanel } from "./receiving-panel.tsx";
import type { ReceiveImporter } from "./receive-importer.ts";

/** The screen for what this browser is: new, receiving, or receiving in another tab. */
export function ReceiveApp({ importer }: { readonly importer: ReceiveImporter }): VNode {
  const view = useView(importer);
  const { stage } = view;
  useFocusOf(stage);
  useLayoutEffect(() => {
    // The panel has a title of its own.
    if (stage !== "receiving") document.title = t("receive.title");
  }, [stage]);
  switch (stage) {
    case "looking":
      return (
        <CalmPage title={t("receive.title")}>
          <p class="quiet">{t("receive.looking")}</p>
        </CalmPage>
      );
    case "unable":
      return (
        <CalmPage title={t("receive.title")}>
          <p>{t(isSecureContext ? "receive.unable" : "receive.insecure")}</p>
        </CalmPage>
      );
    case "new":
      return <FirstVisit importer={importer} view={view} />;
    case "elsewhere":
      return <Elsewhere importer={importer} />;
    case "receiving":
      return <ReceivingPanel importer={importer} />;
  }
}

/** Frames within which the panel shows its first state. */
const FRAMES = 60;

/** Moves the keyboard focus to the title of the next screen, where the one before has taken it away. */
function useFocusOf(stage: ReceiveState["stage"]): void {
  const before = useRef(stage);
  useEffect(() => {
    const wasShown = before.current !== "looking" && before.current !== stage;
    before.current = stage;
    if (!wasShown) return undefined;
    let frames = 0;
    const look = (): void => {
      const title = document.querySelector<HTMLElement>("#title, #pairing, h2#package-title");
      const isLost = document.activeElement === document.body;
      if (isLost && title !== null) title.focus();
      else if (isLost && frames++ < FRAMES) frame = requestAnimationFrame(look);
    };
    let frame = requestAnimationFrame(look);
    return () => cancelAnimationFrame(frame);
  }, [stage]);
}
