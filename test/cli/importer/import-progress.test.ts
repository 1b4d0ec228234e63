import { expect, test } from "vitest";
import { followImports } from "../../../cli/commands/importer/import-command.ts";

test("[R1] a lost connection is said once, until bytes come again", () => {
  const lines: string[] = [];
  const { onProgress } = followImports({ say: (line) => lines.push(line), give: () => undefined });
  const bytes = { doneBytes: 10, totalBytes: 100 };
  const retrying = (secondsLeft: number) =>
    onProgress({
      packageId: "pkg_1",
      title: "Kit",
      progress: { phase: "retrying", secondsLeft, ...bytes },
    });
  retrying(300);
  retrying(290);
  onProgress({ packageId: "pkg_1", title: "Kit", progress: { phase: "fetching", ...bytes } });
  retrying(45);
  expect(lines).toEqual([
    "Kit: the connection was lost. Trying again… (5 min left)",
    "Kit: the connection was lost. Trying again… (45 s left)",
  ]);
});
