import type { Host, PlaceRequest } from "../../addon/hosts/host.ts";

/** A host that answers only while it is switched on, and counts how often it was asked. */
export class SwitchableHost implements Host {
  readonly name: string = "live";
  readonly can = { copiesFiles: false, resumes: true };
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
