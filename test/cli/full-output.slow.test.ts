import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** A disk that is always full. */
const FULL = "/dev/full";

test.skipIf(!existsSync(FULL))(
  "[K1] reports output that can't be written in a sentence, and exits 1 (needs /dev/full)",
  async () => {
    const words = ["cli/soundferry.ts", "layout", "fixtures/packages/one-shot-kit"];
    const command = spawn(process.execPath, words, {
      cwd: ROOT,
      stdio: ["ignore", openSync(FULL, "w"), "pipe"],
    });
    const said = command.stderr === null ? "" : text(command.stderr);
    expect(await once(command, "exit")).toEqual([1, null]);
    expect(await said).toMatch(/^The output can't be written: ENOSPC[^\n]*\.\n$/);
  },
);
