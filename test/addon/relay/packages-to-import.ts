import type { Sound } from "../../../core/manifest/manifest.ts";
import type { ImportablePackage } from "../../../core/protocol/importer-api.ts";
import { itemOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import type { StandInRelay } from "./stand-in-relay.ts";

export interface PlacedSound {
  readonly file: string;
  readonly name: string;
  readonly wav: Buffer;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A package of one-shots as a relay lists it. @param folder the path of its files, with a slash at the end */
export function importablePackage(
  packageId: string,
  title: string,
  { sounds, folder }: { readonly sounds: readonly PlacedSound[]; readonly folder: string },
): ImportablePackage {
  const items = sounds.map(({ file, name, wav, more }, index) => {
    const own = { id: String(index + 1), name, kind: "oneshot" as const };
    return { ...itemOf(file, wav), ...own, ...more };
  });
  return {
    package_id: packageId,
    status: "waiting",
    app_name: "Looper",
    manifest: {
      schema: "app2host/1",
      package_id: packageId,
      title,
      source: { app: "Looper" },
      items: items satisfies readonly Sound[],
    },
    files: Object.fromEntries(sounds.map(({ file }) => [file, folder + file])),
    taken: false,
    created_at: "2026-11-21T12:00:00.000Z",
    committed_at: "2026-11-21T12:00:01.000Z",
    expires_at: "2026-11-22T12:00:01.000Z",
    expires_in: 86_400,
  };
}

/** Puts a package of one-shots with these names at the stand-in, waiting for Import. */
export function offerPackage(
  relay: StandInRelay,
  packageId: string,
  names: readonly string[],
): ImportablePackage {
  const sounds = names.map((name, index) => {
    return { file: `${index + 1}.wav`, name, wav: smallWav({ frames: 1000 + index }) };
  });
  const folder = `/importer/packages/${packageId}/files/`;
  for (const { file, wav } of sounds) relay.files.set(folder + file, wav);
  const title = `Kit ${packageId.slice(4).replace(/_+$/, "")}`;
  const offered = importablePackage(packageId, title, { sounds, folder });
  relay.packages.unshift(offered);
  return offered;
}
