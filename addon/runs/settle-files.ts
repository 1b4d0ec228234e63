import type { Layout } from "../../core/layout/layout.ts";
import { usableTracks } from "../../core/layout/usable-tracks.ts";
import type { PackageFolder } from "../disk/sounds-folder.ts";
import type { Host, PlacedSound } from "../hosts/host.ts";
import type { FilesLeft } from "./import-outcome.ts";

export interface PlacedLayout {
  readonly host: Pick<Host, "can">;
  readonly layout: Layout;
  readonly placed: readonly PlacedSound[];
  readonly folder: PackageFolder;
}

/** Deletes the files that the host copied and keeps those it plays (rule F5). */
export async function settleFiles({
  host: { can },
  layout,
  placed,
  folder,
}: PlacedLayout): Promise<FilesLeft> {
  const held = placed.filter((sound) => "holds" in sound);
  const copied = held.filter((sound) => can.copiesFiles && sound.playsOwnFile !== true);
  const played = held.filter((sound) => !copied.includes(sound));
  const gone = await tidy(folder, idsOf(played), idsOf(copied));
  const usable = usableTracks(layout);
  const left = usable.filter(({ soundId }) => !gone.has(soundId));
  return {
    folder: left.length === 0 ? null : folder,
    fileNames: new Map(left.map(({ soundId }) => [soundId, folder.fileNameOf(soundId)])),
  };
}

/** Keeps some files and deletes others; returns the sounds whose file was deleted. */
async function tidy(
  folder: PackageFolder,
  kept: readonly string[],
  discarded: readonly string[],
): Promise<ReadonlySet<string>> {
  try {
    await folder.keep(kept);
    return await folder.discard(discarded);
  } catch {
    // The host has placed the sounds: a disk error here must not fail the import.
    return new Set();
  }
}

function idsOf(sounds: readonly PlacedSound[]): readonly string[] {
  return sounds.map(({ soundId }) => soundId);
}
