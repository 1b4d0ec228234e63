import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { FIELDS } from "../../../core/manifest/fields.ts";
import { WARNINGS } from "../../../core/manifest/warnings.ts";
import { fillTables } from "../../../scripts/write-field-tables.ts";

const PAGE = new URL("../../../docs/use/manifest.md", import.meta.url);

test("[M4] docs/use/manifest.md has every table that `npm run generate` writes", () => {
  const page = readFileSync(PAGE, "utf8");
  expect(fillTables(page)).toBe(page);
  for (const name of [...Object.keys(FIELDS), "warnings"]) {
    expect(page).toContain(`<!-- table: ${name} -->\n\n| `);
  }
  for (const code of Object.keys(WARNINGS)) expect(page).toContain(`\`${code}\``);
});
