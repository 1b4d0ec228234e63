import type { PanelLive } from "../../../core/protocol/panel-api.ts";

/** One step of setting up Live's control surface. */
export interface LiveStep {
  readonly id: "install" | "restart" | "choose";
  readonly state: "done" | "open" | "wrong";
  readonly title: string;
  readonly text: string;
  /** The button that does it. */
  readonly button?: string;
}

/** Returns whether the script in Live answers, and nothing is left to do. */
export function isLiveReady({ answers, script }: PanelLive): boolean {
  return answers && script !== "old" && script !== "changed";
}

/** Such as `Live 12.1.5 Standard`. */
export function formatLiveName({ live, edition }: PanelLive): string {
  return ["Live", live, edition].filter(Boolean).join(" ");
}

/** Words the steps as they are now, in order. */
export function liveStepsOf(live: PanelLive): readonly LiveStep[] {
  const isReady = isLiveReady(live);
  return [
    { id: "install", ...installStep(live) },
    {
      id: "restart",
      state: live.mustRestart ? "wrong" : live.answers ? "done" : "open",
      title: "Restart Live",
      text: live.mustRestart
        ? "Live still runs another version of the script. Quit Live and start it again."
        : "Quit Live and start it again. It finds new scripts only when it starts.",
    },
    {
      id: "choose",
      state: isReady || live.mustRestart ? "done" : "open",
      title: "Choose Soundferry in Live",
      text: "In Live, open Settings → Link, Tempo & MIDI. Choose Soundferry as a Control Surface, and leave its Input and Output at None.",
    },
  ];
}

function installStep({
  script,
  libraryName,
  canInstall,
  answers,
  trouble,
}: PanelLive): Omit<LiveStep, "id"> {
  const title = "Install the script";
  if (trouble !== null) return { state: "wrong", title, text: trouble };
  const place = `Live’s ${libraryName ?? "User Library"}`;
  const withButton = (button: string) => (canInstall ? { button } : {});
  switch (script) {
    case "missing": {
      const text = `Soundferry copies a small script into ${place}.`;
      return { state: "open", title, text, ...withButton("Install") };
    }
    case "old": {
      const text = `The script in ${place} is from another version of Soundferry.`;
      return { state: "wrong", title, text, ...withButton("Update") };
    }
    case "changed": {
      const text = `The script in ${place} was changed by hand.`;
      return { state: "wrong", title, text, ...withButton("Install again") };
    }
    case "foreign": {
      const text = `${place} has another folder Remote Scripts/Soundferry. Move it away first.`;
      return { state: "wrong", title, text, ...withButton("Install") };
    }
    case "current":
      return { state: "done", title, text: `It is in ${place}.` };
    case "no-library": {
      const text =
        "Live’s User Library wasn’t found. Start Soundferry with SOUNDFERRY_LIVE_LIBRARY set to the folder that Live shows under Settings → Library.";
      return { state: answers ? "done" : "wrong", title, text };
    }
    case "unknown": {
      const text =
        "Inside Live, Soundferry can’t install it. In a terminal, run: soundferry live install";
      return { state: answers ? "done" : "open", title, text };
    }
  }
}
