import { importerAtWork, type WorkOptions } from "./importer-at-work.ts";
import { startStandIn } from "./relay/linked-client.ts";
import { offerPackage } from "./relay/packages-to-import.ts";
import { SwitchableHost } from "./switchable-host.ts";

/** An importer that prefers a Live which can be switched on and off to the preview. */
export async function liveAndPreview(
  options: { isOn?: boolean; work?: WorkOptions; live?: SwitchableHost } = {},
) {
  const { isOn = false, work = {}, live = new SwitchableHost(isOn) } = options;
  const relay = await startStandIn();
  offerPackage(relay, "pkg_1", ["Kick"]);
  const more = { preferredHosts: [live], ...work.more };
  return { relay, live, ...(await importerAtWork(relay.url, { ...work, more })) };
}
