import type { Host, PlaceRequest } from "../../addon/hosts/host.ts";
import { importerAtWork, type WorkOptions } from "./importer-at-work.ts";
import { startStandIn } from "./relay/linked-client.ts";

/** A host that answers only while it is switched on, and counts how often it was asked. */
export class SwitchableHost implements Host {
  readonly name: string = "live";
  readonly can = { resumes: true };
  readonly whenNotReady: string = "Live doesn't answer. Open Live.";
  readonly requests: PlaceRequest[] = [];
  isOn: boolean;
  timesAsked = 0;
  timesClosed = 0;

  constructor(isOn: boolean) {
    this.isOn = isOn;
  }

  async isReady(): Promise<boolean> {
    this.timesAsked += 1;
    return this.isOn;
  }

  describe(): string {
    return "Live 12.1.5 Standard";
  }

  close(): void {
    this.timesClosed += 1;
  }

  async readTempo(): Promise<number> {
    return 97;
  }

  async place(request: PlaceRequest) {
    this.requests.push(request);
    return request.layout.tracks.map(({ soundId }) => ({ soundId, holds: {}, notes: [] }));
  }
}

/** An importer that prefers a Live which can be switched on and off to the preview. */
export async function liveAndPreview(
  options: { isOn?: boolean; work?: WorkOptions; live?: SwitchableHost } = {},
) {
  const { isOn = false, work = {}, live = new SwitchableHost(isOn) } = options;
  const relay = await startStandIn({ pkg_1_____________________: ["Kick"] });
  const more = { preferredHosts: [live], ...work.more };
  return { relay, live, ...(await importerAtWork(relay.url, { ...work, more })) };
}
