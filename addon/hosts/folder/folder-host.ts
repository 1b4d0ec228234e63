import { SAVING_HOST } from "../../../core/protocol/package-status.ts";
import { type PlacedSound, savedAsFiles } from "../../../core/report/placed-sound.ts";
import type { Host, HostAbilities, PlaceRequest } from "../host.ts";

/**
 * The sounds folder alone, for a computer on which no host answers: the importer has fetched, checked and written every
 * file, and nothing is placed (rule R16).
 */
export class FolderHost implements Host {
  readonly name = SAVING_HOST;
  readonly can: HostAbilities = { resumes: true };

  describe(): string {
    return "Sounds folder";
  }

  async place({ layout, signal }: PlaceRequest): Promise<readonly PlacedSound[]> {
    signal.throwIfAborted();
    return savedAsFiles(layout);
  }
}
