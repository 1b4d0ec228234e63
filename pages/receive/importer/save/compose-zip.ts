import type { WavHeader } from "../../../../core/audio/wav-header.ts";
import type { Layout } from "../../../../core/layout/layout.ts";
import type { LinkedWav } from "../../../../core/live-set/linked-live-set.ts";
import { MANIFEST_FILE } from "../../../../core/manifest/manifest.ts";
import { formatAboutPackage } from "../../../../core/saved-package/about-package.ts";
import { claimNames } from "../../../../core/saved-package/claim-names.ts";
import { savedManifest } from "../../../../core/saved-package/saved-manifest.ts";
import { encodeUtf8 } from "../../../../core/text/utf8.ts";
import { folderNameFor } from "../../../../core/text/file-name.ts";
import { crc32 } from "../../../../core/zip/crc32.ts";
import { planZip } from "../../../../core/zip/plan-zip.ts";
import { type FormatLiveSet, linkedWavOf } from "./live-set-file.ts";
import {
  headersIn,
  namesBy,
  type PackageToSave,
  type SavedPlace,
  type SaveTarget,
} from "./package-to-save.ts";

/** The time that every file of a ZIP has. */
const ZIP_TIME_MS = Date.UTC(1980, 0, 1);

/** A ZIP with one package's folder. */
export interface PackageZip extends SavedPlace {
  readonly fileName: string;
  /** Refers to the sounds on the disk: nothing of them is in memory. */
  readonly zip: Blob;
}

/**
 * Composes the ZIP of a package (rule RC7): a folder with the sounds that were fetched, a manifest of just these, and a
 * DAWproject that refers to them. The same package gives the same bytes.
 */
export async function composeZip(
  { manifest: whole, ...rest }: PackageToSave,
  formatLiveSet: FormatLiveSet,
): Promise<PackageZip> {
  const { warnings, fetched, parts, colorTurn } = rest;
  const folderName = folderNameFor(whole.title, () => false);
  const items = whole.items.filter(({ id }) => parts.has(id));
  const names = claimNames(items, { all: [], ours: new Set(), saved: new Map() });
  const fileNameOf = namesBy(names);
  const source = { packageId: whole.package_id, manifest: { ...whole, items } };
  const manifest = savedManifest(source, { fileNameOf, fetched, saved: new Map() });
  const headers = headersIn(fetched);
  const about = formatAboutPackage({ folderName, manifest, warnings, headers, colorTurn });
  const files = [
    ...[...parts].map(([id, { bytes, crc32: crc }]) => ({ name: fileNameOf(id), bytes, crc })),
    inMemory(about.project.name, about.project.bytes),
    inMemory(MANIFEST_FILE, encodeUtf8(about.manifest)),
    ...(await liveSetIn(
      { folderName, layout: about.layout, headers, parts, fileNameOf },
      formatLiveSet,
    )),
  ];
  const { headers: before, end } = planZip(
    files.map(({ name, bytes, crc }) => {
      return { name: `${folderName}/${name}`, crc32: crc, sizeBytes: bytes.size };
    }),
  );
  const pieces = files.flatMap(({ bytes }, at) => [before[at] ?? "", bytes]);
  const zip = new Blob([...pieces, end], { type: "application/zip" });
  return { folderName, fileNameOf, fileName: `${folderName}.zip`, zip };
}

/** Hands a package over as a ZIP. */
export class ZipTarget implements SaveTarget {
  readonly needsCrc = true;
  readonly #formatLiveSet: FormatLiveSet;
  readonly #onZip: (zip: PackageZip, packageId: string) => void;

  constructor(formatLiveSet: FormatLiveSet, onZip: (zip: PackageZip, packageId: string) => void) {
    this.#formatLiveSet = formatLiveSet;
    this.#onZip = onZip;
  }

  async open(): Promise<void> {}

  async putSound(): Promise<void> {}

  async finish(saving: PackageToSave): Promise<SavedPlace> {
    const zip = await composeZip(saving, this.#formatLiveSet);
    this.#onZip(zip, saving.manifest.package_id);
    return zip;
  }
}

interface ZippedSounds extends SavedPlace, Pick<PackageToSave, "parts"> {
  readonly layout: Layout;
  readonly headers: ReadonlyMap<string, WavHeader>;
}

/** Returns the files of the experimental Live Set; none where it isn't wanted. */
async function liveSetIn(
  { folderName, layout, headers, parts, fileNameOf }: ZippedSounds,
  formatLiveSet: FormatLiveSet,
): Promise<readonly ReturnType<typeof inMemory>[]> {
  const sounds = new Map<string, LinkedWav>();
  for (const [id, header] of headers) {
    const bytes = parts.get(id)?.bytes;
    const wav = { fileName: fileNameOf(id), header };
    if (bytes !== undefined) sounds.set(id, await linkedWavOf(wav, bytes, ZIP_TIME_MS));
  }
  const file = await formatLiveSet({ folderName, layout, sounds });
  if (file === null) return [];
  return [inMemory(file.path, file.bytes), inMemory(`${file.infoFolder}/`, new Uint8Array())];
}

function inMemory(name: string, bytes: Uint8Array<ArrayBuffer>) {
  return { name, crc: crc32(bytes), bytes: new Blob([bytes]) };
}
