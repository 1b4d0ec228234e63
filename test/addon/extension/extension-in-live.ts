import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ClipSlot, Scene } from "../../../addon/extension/sdk-stand-in.ts";
import { startExtension } from "../../../addon/extension/start-extension.ts";
import { LIVE_MENU } from "../../../core/live-menu.ts";
import type { PanelStart, PanelState } from "../../../core/protocol/panel-api.ts";
import { type StandInOptions, StandInLive } from "../hosts/live/stand-in/stand-in-live.ts";
import { OpenedPanel, readPanelStart } from "../../scripts/live/live-process.ts";
import { writeLocalPackage } from "../importer-at-work.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** The commands in Live's menus. */
export const { choose: IMPORT, newest: NEWEST, belowSelection: BELOW_SELECTION } = LIVE_MENU;

const PAGE = `<!doctype html><script type="application/json" id="start">null</script>`;

export interface ExtensionOptions {
  readonly live?: StandInOptions;
  /** Folder that has Live's folders; a new one by default. */
  readonly folder?: string;
  readonly environment?: NodeJS.ProcessEnv;
  readonly suggestedRelayUrl?: string;
}

/** The extension in a stand-in Live; closed when the test is over. */
export async function extensionInLive(options: ExtensionOptions = {}): Promise<StandInLive> {
  const live = new StandInLive(options.folder ?? (await temporaryFolder()), options.live);
  const extension = startExtension({
    context: live.context,
    kinds: { Scene, ClipSlot },
    panelPage: PAGE,
    suggestedRelayUrl: options.suggestedRelayUrl ?? "",
    environment: options.environment ?? {},
    pause: async () => undefined,
  });
  onTestFinished(() => extension.close());
  return live;
}

/** Starts the extension with a package in the inbox, which the panel already shows. */
export async function extensionWithPackage(
  title: string,
  names: readonly string[],
  options: ExtensionOptions = {},
): Promise<{ readonly live: StandInLive; readonly packageId: string; readonly folder: string }> {
  const live = await extensionInLive(options);
  const inbox = join(live.storageFolder, "Sounds", "Inbox");
  const folder = await writeLocalPackage(join(inbox, "package"), title, names);
  const { packages } = await panelWhere(live, (state) => state.packages.length > 0);
  return { live, folder, packageId: packages[0]?.packageId ?? "" };
}

/** Opens the panel, waits until it is as wanted, and closes it. The dialog is forgotten. */
export async function panelWhere(
  live: StandInLive,
  isWanted: (state: PanelState) => boolean,
): Promise<PanelState> {
  const { promise, resolve } = Promise.withResolvers<PanelState>();
  live.ui.answerDialog = async ({ url }) => {
    resolve(await new OpenedPanel(url).until(isWanted));
    return "";
  };
  await live.clickMenu("Scene", IMPORT);
  live.ui.dialogs.length = 0;
  live.ui.answerDialog = () => "";
  return promise;
}

/** Plays the person: answers each dialog in turn, and closes those after the last. Returns what was shown. */
export function answering(live: StandInLive, ...answers: readonly object[]): readonly PanelStart[] {
  const shown: PanelStart[] = [];
  live.ui.answerDialog = ({ url }) => {
    const answer = answers[shown.length];
    shown.push(readPanelStart(url));
    return answer === undefined ? "" : JSON.stringify(answer);
  };
  return shown;
}

/** The sentence that the last dialog showed. */
export function lastSentence(live: StandInLive): string | undefined {
  const url = live.ui.dialogs.at(-1)?.url ?? "";
  const page = Buffer.from(url.slice(url.indexOf(",") + 1), "base64").toString("utf8");
  return /<p role="alert">(.*?)<\/p>/s.exec(page)?.[1];
}
