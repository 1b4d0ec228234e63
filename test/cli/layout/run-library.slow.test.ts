import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { until } from "../../sim/until.ts";
import { makeMachine } from "../run-soundferry.ts";
import { writeLibrary } from "./package-folders.ts";

test.skipIf(process.platform === "win32")(
  "[B2][K1] Ctrl-C leaves whole goldens behind, no part of any, and one JSON value",
  async () => {
    await using machine = await makeMachine();
    const root = await temporaryFolder();
    const [first = ""] = await writeLibrary(root, { packages: 400, sounds: 8 });
    const command = machine.start(["layout", root, "--update", "--json"]);
    await until(async () => existsSync(join(first, "expected", "layout.json")));
    command.interrupt();
    const { status, stdout, stderr } = await command.ended;
    expect([status, JSON.parse(stdout), stderr]).toEqual([1, { error: "Stopped." }, "Stopped.\n"]);
    const left = await readdir(root, { recursive: true });
    expect(left.filter((path) => path.endsWith(".new"))).toEqual([]);
    const checked = await machine.run(["layout", root, "--check"]);
    expect(checked.stdout).toMatch(
      /\n400 packages, 3200 sounds: \d+ match, \d+ without an accepted layout\.\n/,
    );
  },
);
