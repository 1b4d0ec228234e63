import { join } from "node:path";
import type { BuildImporterOptions } from "../../../addon/build-importer.ts";
import type { OtherHosts } from "../../../addon/hosts/host-registry.ts";
import { ControlSurfaceHost } from "../../../addon/hosts/live/remote-script/control-surface-host.ts";
import { PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import type { ImporterSettings } from "../../../addon/settings.ts";
import type { OwnHostName } from "../importer/host-flag.ts";

/** Where the preview host keeps its session. */
export function previewSessionIn({ dataFolder }: ImporterSettings): string {
  return join(dataFolder, "preview-session.json");
}

/**
 * The hosts of an importer of the command line (rule R9).
 * @param named its only own host; without it Live while it answers, or else the preview
 */
export function ownHosts(
  settings: ImporterSettings,
  named: OwnHostName | undefined,
): Pick<BuildImporterOptions, "host" | "preferredHosts" | "otherHosts"> {
  const { dataFolder, soundsFolder } = settings;
  const live = () => new ControlSurfaceHost({ folders: [dataFolder], soundsFolder });
  const preview = () => new PreviewHost(previewSessionIn(settings));
  switch (named) {
    case "live":
      return { host: live(), otherHosts: new Map([...FILES, ["preview", async () => preview()]]) };
    case "preview":
      return { host: preview(), otherHosts: new Map([...FILES, ["live", async () => live()]]) };
    case undefined:
      return { host: preview(), preferredHosts: [live()], otherHosts: FILES };
  }
}

/** Files to import into, by the names that `importer import` sends, loaded on first use. */
const FILES: OtherHosts = new Map([
  ["dawproject", () => openDawproject({ withArrangement: false })],
  ["dawproject-arrangement", () => openDawproject({ withArrangement: true })],
]);

async function openDawproject(how: { readonly withArrangement: boolean }) {
  const { DawprojectHost } = await import("../../../addon/hosts/dawproject/dawproject-host.ts");
  return new DawprojectHost(how);
}
