import { expect, test } from "vitest";
import { WrongUse } from "../../../cli/fail.ts";
import { importCommand } from "../../../cli/importer/import-command.ts";

test.each([[["--all", "--arrangement"]], [["kit", "--arrangement", "--host", "preview"]]])(
  "[K2] an arrangement is for a DAWproject alone: %j",
  async (words) => {
    const asked = importCommand().parseAsync(words, { from: "user" });
    await expect(asked).rejects.toThrow(new WrongUse("--arrangement needs --host dawproject."));
  },
);
