import type { Host, HostAbilities, PlacedSound } from "../../host.ts";

/** Holds the place of the host that drives Live through the control surface. It never answers. */
export class ControlSurfaceHost implements Host {
  readonly name = "live";
  readonly can: HostAbilities = { copiesFiles: false, resumes: true };
  readonly whenNotReady =
    "Live doesn't answer. Open Live and choose Soundferry under Settings → Link, Tempo & MIDI; " +
    "`soundferry live status` says more.";

  readonly deps: { readonly folders: readonly string[]; readonly soundsFolder: string };

  constructor(deps: ControlSurfaceHost["deps"]) {
    this.deps = deps;
  }

  async isReady(): Promise<boolean> {
    return false;
  }

  async place(): Promise<readonly PlacedSound[]> {
    throw new Error(this.whenNotReady);
  }
}
