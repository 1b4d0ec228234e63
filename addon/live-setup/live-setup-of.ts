import { basename } from "node:path";
import type { PanelLive } from "../../core/protocol/panel-api.ts";
import { VERSION } from "../../core/version.ts";
import type { LiveSetup } from "../hosts/live-setup.ts";
import type { ControlSurfaceLook } from "../hosts/live/remote-script/find-control-surface.ts";
import { unsupportedSentence } from "../hosts/live/remote-script/live-version.ts";
import type { LiveScript, LiveScriptDeps, LiveStatus } from "./live-script.ts";
import { ScriptError } from "./script-error.ts";

/** Builds the panel's view of the script, which it can install. */
export function buildLiveSetup(script: LiveScript): LiveSetup {
  return {
    look: async () => {
      try {
        return panelLiveOf(await script.status());
      } catch (error) {
        if (!(error instanceof ScriptError)) throw error;
        return { ...UNSEEN, trouble: error.message };
      }
    },
    install: async () => void (await script.install()),
  };
}

/** Builds the view of the extension in Live, which can't read the User Library: only whether the script answers. */
export function surfaceSetup(
  folders: readonly string[],
  lookAtControlSurface: LiveScriptDeps["lookAtControlSurface"],
): LiveSetup {
  return { look: async () => ({ ...UNSEEN, ...answerOf(await lookAtControlSurface(folders)) }) };
}

const UNSEEN: PanelLive = {
  script: "unknown",
  answers: false,
  mustRestart: false,
  live: null,
  edition: null,
  libraryName: null,
  canInstall: false,
  trouble: null,
};

/** Turns the script's status into the panel's state; null on a computer without Live. */
function panelLiveOf({ library, script, surface, loaded }: LiveStatus): PanelLive | null {
  if (library.kind === "missing" && !library.hasLive && loaded === null) return null;
  const isFound = library.kind === "found";
  return {
    ...UNSEEN,
    ...answerOf(surface),
    script: script?.state ?? "no-library",
    mustRestart: loaded !== null && loaded !== VERSION,
    libraryName: isFound ? basename(library.path) : null,
    canInstall: isFound,
  };
}

function answerOf(surface: ControlSurfaceLook): Partial<PanelLive> {
  if (surface.kind !== "answers") return {};
  const { version, live, edition, makesClips } = surface;
  const isOurs = version === VERSION;
  const trouble = makesClips ? null : unsupportedSentence(surface);
  return { answers: isOurs && makesClips, mustRestart: !isOurs, live, edition, trouble };
}
