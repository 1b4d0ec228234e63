import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { formatLicences } from "./live/licences.ts";
import { cachedBuild } from "./cached-build.ts";

const PACKAGE = join(import.meta.dirname, "..", "node_modules", "swagger-ui-dist");

/**
 * The viewer of `/docs`, as its makers published it, by file name. Cached as one file, `docs-viewer.json`.
 * @param folder absolute; default `dist/`
 */
export async function buildDocsViewer(folder?: string): Promise<ReadonlyMap<string, string>> {
  const make = async () => ({ text: JSON.stringify(await readViewer()), inputs: [] });
  const makers = ["scripts/build-docs-viewer.ts", "scripts/live/licences.ts"];
  const text = await cachedBuild({ fileName: "docs-viewer.json", makers, make }, folder);
  return new Map(JSON.parse(text) as [string, string][]);
}

async function readViewer(): Promise<readonly (readonly [string, string])[]> {
  const read = (name: string) => readFile(join(PACKAGE, name), "utf8");
  // The maps of both are not part of it.
  const withoutMap = (text: string) => text.replace(/\n?(\/\*|\/\/)# sourceMappingURL=.*$/s, "\n");
  return [
    ["viewer.js", withoutMap(await read("swagger-ui-bundle.js"))],
    ["viewer.css", withoutMap(await read("swagger-ui.css"))],
    [
      "licences.txt",
      `${await formatLicences(["swagger-ui-dist"])}\n${await read("NOTICE")}\n${await read("swagger-ui-bundle.js.LICENSE.txt")}`,
    ],
  ];
}
