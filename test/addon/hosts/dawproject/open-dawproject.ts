import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { XMLParser } from "fast-xml-parser";

/** An element: attributes under `@name`, each kind of child a list. */
export type Element = { readonly [name: string]: unknown };

/** A DAWproject as another program's unzip and parser see it. */
export interface OpenedDawproject {
  /** The files by their path in the ZIP. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly projectXml: string;
  readonly metadataXml: string;
  /** The element `Project`. */
  readonly project: Element;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
});

export async function openDawproject(path: string): Promise<OpenedDawproject> {
  const files = unzipSync(await readFile(path));
  const projectXml = textOf(files["project.xml"]);
  const metadataXml = textOf(files["metadata.xml"]);
  return { files, projectXml, metadataXml, project: parseProject(projectXml) };
}

/** The element `Project` of a `project.xml`. */
export function parseProject(projectXml: string): Element {
  const [project] = elements(parser.parse(projectXml), "Project");
  if (project === undefined) throw new Error("It has no project.");
  return project;
}

/** All elements at a path of names. */
export function elements(from: Element, ...path: readonly string[]): readonly Element[] {
  return path.reduce<readonly Element[]>(
    (parents, name) =>
      parents.flatMap((parent) => {
        const children = parent[name];
        return Array.isArray(children) ? children.filter((child) => child !== "") : [];
      }),
    [from],
  );
}

/** Lists all descendants with a name. */
export function* everything(from: Element): Generator<readonly [name: string, Element]> {
  for (const [name, children] of Object.entries(from)) {
    if (!Array.isArray(children)) continue;
    for (const child of children) {
      if (child === "") continue;
      yield [name, child];
      yield* everything(child);
    }
  }
}

function textOf(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) throw new Error("A file is missing.");
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
