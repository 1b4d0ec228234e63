import { expect, test } from "vitest";
import { WrongUse } from "../../../cli/fail.ts";
import { importCommand } from "../../../cli/commands/importer/import-command.ts";

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
