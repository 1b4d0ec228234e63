import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { soundFile } from "../../client/node/in-node.ts";
import { preparePackage } from "../../client/send/prepare-package.ts";
import type { SendProgress } from "../../client/send/send-options.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";

describe("a draft", () => {
  test("[W2] is refused before any hashing when it is too large", async () => {
    const folder = await temporaryFolder();
    const path = join(folder, "large.wav");
    await writeFile(path, new Uint8Array(105_000_000));
    const source = await soundFile(path);
    const progress: SendProgress[] = [];
    await expect(
      preparePackage(
        { sounds: [{ source }, { source }] },
        { onProgress: (step) => progress.push(step) },
      ),
    ).rejects.toMatchObject({ code: "TOTAL_TOO_LARGE", status: undefined });
    expect(progress).toEqual([]);
  });
});
