import { readFile, writeFile } from "node:fs/promises";
import { compileValidator } from "./compile-validator.ts";
import { fillTables } from "./write-field-tables.ts";

// Generates files from the manifest's table of fields: the validator, and the tables of its page.

const VALIDATOR = new URL("../core/manifest/validate.generated.js", import.meta.url);
const PAGE = new URL("../docs/manifest.md", import.meta.url);

await writeFile(VALIDATOR, await compileValidator());
await writeFile(PAGE, fillTables(await readFile(PAGE, "utf8")));
