import type { WavHeader } from "../audio/wav-header.ts";
import { formatLinkedProject } from "../dawproject/linked-project.ts";
import type { Layout } from "../layout/layout.ts";
import { planLayout } from "../layout/plan-layout.ts";
import type { Manifest, Warning } from "../manifest/manifest.ts";

/** A package's folder and the WAVs in it. */
export interface PackageInFolder {
  readonly folderName: string;
  /** The manifest with the files' own names, from `savedManifest`. */
  readonly manifest: Manifest;
  readonly warnings: readonly Warning[];
  /** The headers of the WAVs that are in the folder, by sound id. */
  readonly headers: ReadonlyMap<string, WavHeader>;
  readonly colorTurn: number;
}

/** The files about a package beside its sounds (rule F10); in this order, so that the manifest comes last. */
export interface AboutPackage {
  /** The project for other DAWs, which refers to the WAVs. */
  readonly project: { readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> };
  /** The text of the manifest's file. */
  readonly manifest: string;
  /** The layout of what is in the folder. */
  readonly layout: Layout;
}

/** Formats the files about a package (rule F10). The same sounds give the same bytes. */
export function formatAboutPackage(found: PackageInFolder): AboutPackage {
  const { folderName, manifest, warnings, headers, colorTurn } = found;
  const sounds = new Map(
    manifest.items.map(({ id, file }) => [
      id,
      headers.get(id) ?? { error: `${file} is not there.` },
    ]),
  );
  const layout = planLayout({ manifest, warnings, sounds, colorTurn });
  const linked = manifest.items.flatMap(({ id, file }) => {
    const header = headers.get(id);
    return header === undefined ? [] : [[id, { fileName: file, header }] as const];
  });
  const project = formatLinkedProject(folderName, layout, new Map(linked));
  return { project, manifest: `${JSON.stringify(manifest, null, 2)}\n`, layout };
}
