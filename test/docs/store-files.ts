import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "../../docs/build/stores.md");

/** The files that docs/build/stores.md shows whole, by name: each has a heading and one block below it. */
export function readStoreFiles(): ReadonlyMap<string, string> {
  const page = readFileSync(PAGE, "utf8").replaceAll("\r\n", "\n");
  const files = page.matchAll(/^### `([a-z.-]+)`\n(?:(?!^#)[^])*?^```ts\n([^]*?)^```$/gm);
  return new Map([...files].map(([, name = "", text = ""]) => [name, text]));
}
