import { MANIFEST_FILE } from "../../../../core/manifest/manifest.ts";
import { formatAboutPackage } from "../../../../core/saved-package/about-package.ts";
import { claimNames } from "../../../../core/saved-package/claim-names.ts";
import { savedManifest } from "../../../../core/saved-package/saved-manifest.ts";
import { encodeUtf8 } from "../../../../core/text/utf8.ts";
import { folderNameFor } from "../../../../core/text/file-name.ts";
import { crc32 } from "../../../../core/zip/crc32.ts";
import { planZip } from "../../../../core/zip/plan-zip.ts";
import {
  headersIn,
  namesBy,
  type PackageToSave,
  type SavedPlace,
  type SaveTarget,
} from "./package-to-save.ts";

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
export function composeZip({ manifest: whole, ...rest }: PackageToSave): PackageZip {
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
  readonly #onZip: (zip: PackageZip, packageId: string) => void;

  constructor(onZip: (zip: PackageZip, packageId: string) => void) {
    this.#onZip = onZip;
  }

  async open(): Promise<void> {}

  async putSound(): Promise<void> {}

  async finish(saving: PackageToSave): Promise<SavedPlace> {
    const zip = composeZip(saving);
    this.#onZip(zip, saving.manifest.package_id);
    return zip;
  }
}

function inMemory(name: string, bytes: Uint8Array<ArrayBuffer>) {
  return { name, crc: crc32(bytes), bytes: new Blob([bytes]) };
}
