import type { PanelLive } from "../../core/protocol/panel-api.ts";

/** The port to Live's control surface on this computer, which a person sets up once. */
export interface LiveSetup {
  /** Returns null on a computer without Live. Takes about a second at most. */
  look(): Promise<PanelLive | null>;
  /**
   * Copies the script into Live's User Library. Absent where the importer can't write there.
   * @throws {Error} with a sentence
   */
  install?(): Promise<void>;
}
