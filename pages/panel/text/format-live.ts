import type { PanelLive } from "../../../core/protocol/panel-api.ts";
import { t } from "../../kit/page-language.ts";

/** One step of setting up Live's control surface. */
export interface LiveStep {
  readonly id: "install" | "restart" | "choose";
  readonly state: "done" | "open" | "wrong";
  readonly title: string;
  readonly text: string;
  /** Label of the button that does the step. */
  readonly button?: string;
}

/** Checks whether the script in Live answers and nothing is left to do. */
export function isLiveReady({ answers, script }: PanelLive): boolean {
  return answers && script !== "old" && script !== "changed";
}

/** Formats Live's version and edition, such as `Live 12.1.5 Standard`. */
export function formatLiveName({ live, edition }: PanelLive): string {
  return ["Live", live, edition].filter(Boolean).join(" ");
}

/** Formats the steps in their current states, in order. */
export function liveStepsOf(live: PanelLive): readonly LiveStep[] {
  const isReady = isLiveReady(live);
  return [
    { id: "install", title: t("panel.live-step-install"), ...installStep(live) },
    {
      id: "restart",
      state: live.mustRestart ? "wrong" : live.answers ? "done" : "open",
      title: t("panel.live-step-restart"),
      text: live.mustRestart ? t("panel.live-restart-other") : t("panel.live-restart"),
    },
    {
      id: "choose",
      state: isReady || live.mustRestart ? "done" : "open",
      title: t("panel.live-step-choose"),
      text: t("panel.live-choose"),
    },
  ];
}

function installStep({
  script,
  libraryName,
  canInstall,
  answers,
  trouble,
}: PanelLive): Omit<LiveStep, "id" | "title"> {
  if (trouble !== null) return { state: "wrong", text: trouble };
  const library = libraryName ?? "User Library";
  const withButton = (button: string) => (canInstall ? { button } : {});
  switch (script) {
    case "missing": {
      const text = t("panel.live-missing", { library });
      return { state: "open", text, ...withButton(t("panel.live-install")) };
    }
    case "old": {
      const text = t("panel.live-old", { library });
      return { state: "wrong", text, ...withButton(t("panel.live-update")) };
    }
    case "changed": {
      const text = t("panel.live-changed", { library });
      return { state: "wrong", text, ...withButton(t("panel.live-install-again")) };
    }
    case "foreign": {
      const text = t("panel.live-foreign", { library });
      return { state: "wrong", text, ...withButton(t("panel.live-install")) };
    }
    case "current":
      return { state: "done", text: t("panel.live-current", { library }) };
    case "no-library":
      return { state: answers ? "done" : "wrong", text: t("panel.live-no-library") };
    case "unknown":
      return { state: answers ? "done" : "open", text: t("panel.live-unknown") };
  }
}
