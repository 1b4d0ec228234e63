import { join } from "node:path";
import { expect, test } from "vitest";
import { findPackages } from "../../cli/layout/find-packages.ts";
import { CHECK } from "../../cli/commands/layout/library-tasks.ts";
import { readPackageFolder } from "../../cli/layout/read-package-folder.ts";
import { runLibrary } from "../../cli/layout/run-library.ts";
import { formatLayout } from "../../core/layout/format-layout.ts";
import { readPages } from "./read-pages.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures/packages");

/** The commands that pages show after a prompt, each with its output, up to the next prompt. */
const SHOWN = readPages().flatMap(({ path, blocks }) =>
  blocks.flatMap(({ text }) =>
    text
      .split(/^\$ /m)
      .slice(1)
      .map((part) => ({
        path,
        command: part.split("\n", 1).join(""),
        printed: part.slice(part.indexOf("\n") + 1).trimEnd(),
      })),
  ),
);

test("[K2] the command prints every layout that a page shows", async () => {
  const shown = SHOWN.flatMap(({ path, command, printed }) => {
    const name = /\blayout fixtures\/packages\/([\w-]+)$/.exec(command)?.[1];
    return name === undefined ? [] : [{ path, name, printed }];
  });
  expect(shown).not.toEqual([]);
  for (const { name, printed } of shown) {
    const { layout } = await readPackageFolder(join(FIXTURES, name));
    expect(printed).toBe(formatLayout(layout).trimEnd());
  }
});

test("[B2] the check of the fixtures prints what the page shows", async () => {
  const shown = SHOWN.filter(({ command }) => command.endsWith("layout --check fixtures/packages"));
  expect(shown).not.toEqual([]);
  const { text } = await runLibrary(await findPackages([FIXTURES]), CHECK);
  for (const { printed } of shown) expect(printed).toBe(text.trimEnd());
});
