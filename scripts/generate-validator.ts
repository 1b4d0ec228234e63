import { readFile, writeFile } from "node:fs/promises";
import { compileValidator, VALIDATORS } from "./compile-validator.ts";
import { fillTables } from "./write-field-tables.ts";

// Generates the validators, and the tables of the manifest's page.

const PAGE = new URL("../docs/use/manifest.md", import.meta.url);

for (const [path, source] of Object.entries(VALIDATORS)) {
  await writeFile(new URL(`../${path}`, import.meta.url), await compileValidator(source));
}
await writeFile(PAGE, fillTables(await readFile(PAGE, "utf8")));
