import { expect, test } from "vitest";
import { ControlError } from "../../../addon/control/control-call.ts";
import { AlreadyPlacedError } from "../../../addon/hosts/already-placed.ts";
import { RelayError } from "../../../addon/relay/relay-errors.ts";
import { importFailure } from "../../../cli/commands/importer/format-outcome.ts";
import { followImports, importCommand } from "../../../cli/commands/importer/import-command.ts";
import { WrongUse } from "../../../cli/fail.ts";

test.each([[["--all", "--arrangement"]], [["kit", "--arrangement", "--host", "preview"]]])(
  "[K2] an arrangement is for a DAWproject alone: %j",
  async (words) => {
    const asked = importCommand().parseAsync(words, { from: "user" });
    await expect(asked).rejects.toThrow(new WrongUse("--arrangement needs --host dawproject."));
  },
);

test("[R10][K2] sounds are chosen of named packages, not of --all", async () => {
  const asked = importCommand().parseAsync(["--all", "--only", "Kick"], { from: "user" });
  await expect(asked).rejects.toThrow(
    new WrongUse("--only chooses sounds of the packages that you name, not of --all."),
  );
});

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

test("[R4][K2] names the flag that imports a package again", () => {
  const here = new AlreadyPlacedError("Kit", []);
  const there = new ControlError(500, here.message, { code: here.code });
  for (const error of [here, there]) {
    expect(importFailure(error)).toMatch(
      /^An earlier import of Kit .* To import it anyway, add --again\.$/,
    );
  }
});

test("[K2] names the flag that takes over a package from another run", () => {
  const held = new RelayError(409, "Another import is running. Try again in 55 s.", {
    code: "RUN_ELSEWHERE",
  });
  expect(importFailure(held)).toBe(`${held.message} To take it over, add --take-over.`);
});

test("leaves other failures unchanged", () => {
  expect(importFailure(new Error("The disk is full."))).toBe("The disk is full.");
});
