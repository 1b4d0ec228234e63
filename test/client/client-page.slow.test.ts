import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { writeClientPackage } from "../../scripts/client/client-package.ts";
import { importerAtWork } from "../addon/importer-at-work.ts";
import { temporaryFolder } from "../addon/temporary-folder.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { smallWav } from "../wav-bytes.ts";
import { describeInBrowser, useAppPages } from "./app-page.ts";
import { IN_NODE, soundFile } from "../../client/node/in-node.ts";
import { MemoryTokenStore } from "../../client/pairing/token-store.ts";
import { Cutter } from "../sim/cutter.ts";
import { instantPace, pairedClient } from "./stand-in-relay.ts";
import { preparePackage } from "../../client/send/prepare-package.ts";
import type { SendProgress } from "../../client/send/send-options.ts";

// Runs every example of docs/use/client.md.

const PAGE = join(import.meta.dirname, "..", "..", "docs", "use", "client.md");
const pages = useAppPages();

/** Reads the examples in one language, with the test's relay and code in place of the page's. */
async function examplesIn(language: string, relayUrl: string, code: string): Promise<string[]> {
  const text = await readFile(PAGE, "utf8");
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))].map((found) =>
    (found[1] ?? "").replaceAll("http://127.0.0.1:4700", relayUrl).replaceAll("K7M Q2X", code),
  );
}

/** Creates an app's folder with the package installed and two sounds. */
async function appFolder(): Promise<string> {
  const folder = await temporaryFolder();
  const installed = join(folder, "node_modules", "@soundferry", "client");
  await mkdir(installed, { recursive: true });
  await writeClientPackage(installed);
  await writeFile(join(folder, "beat.wav"), smallWav({ frames: 88_200 }));
  await writeFile(join(folder, "hit.wav"), smallWav());
  return folder;
}

describe("docs/use/client.md", () => {
  test("[W2][W8][W9][W10][W11] its examples for Node run", async () => {
    await using relay = await RunningRelay.start();
    const { importer } = await importerAtWork(relay.url, { more: { autoImport: true } });
    void importer.start();
    const folder = await appFolder();
    const run = async (name: string, example: string): Promise<string> => {
      await writeFile(join(folder, name), example);
      return (await promisify(execFile)(process.execPath, [name], { cwd: folder })).stdout;
    };
    const { code } = await importer.pairingCode();
    const [send = "", failure = "", , preview = ""] = await examplesIn("js", relay.url, code);
    expect(await run("send.mjs", send)).toMatch(
      /^(?:waiting undefined\n)?imported \{[^]*'Hit \(Looper\)'/,
    );
    expect(await run("failure.mjs", `${send.split("await client.pair")[0]}\n${failure}`)).toBe("");
    expect(await run("preview.mjs", preview)).toMatch(/^4\nUntitled \(App\) \[[^]*'beat \(App\)'/);

    const second = (await importer.pairingCode()).code;
    const [, , several = ""] = await examplesIn("js", relay.url, second);
    expect(await run("several.mjs", several)).toBe("Studio\n");
  });
});

describeInBrowser("docs/use/client.md (needs Chromium)", () => {
  test("[W1][W5][W9] its page runs", async () => {
    await using relay = await RunningRelay.start();
    const { importer } = await importerAtWork(relay.url, { more: { autoImport: true } });
    void importer.start();
    const { code } = await importer.pairingCode();
    const page = await pages.open();
    const [html = ""] = await examplesIn("html", relay.url, code);
    const origin = new URL(page.url()).origin;
    page.on("dialog", (dialog) => void dialog.accept(code));
    await page.setContent(html.replace(`${relay.url}/client.js`, `${origin}/client.js`));
    await page.waitForFunction('document.querySelector("input").onchange !== null');
    await page
      .locator("input")
      .setInputFiles([
        { name: "Beat.wav", mimeType: "audio/wav", buffer: smallWav({ frames: 88_200 }) },
      ]);
    await page.getByText('["imported",{"1":{"status":"imported"').waitFor();
  });
});

test("[W4][W5] in Node, a send resumes after the connection was cut", async () => {
  await using relay = await RunningRelay.start();
  await using line = await Cutter.to(relay.url);
  const { token } = await relay.paired();
  const client = pairedClient(`http://127.0.0.1:${line.port}`, {
    tokenStore: new MemoryTokenStore(token),
    pace: instantPace(),
    ...IN_NODE,
  });
  line.play({ at: { bytes: 2_000_000 }, does: "stall" });
  const errors: string[] = [];
  const { packageId } = await client.send(
    { sounds: [{ source: smallWav({ frames: 8_000_000 }), name: "Long" }] },
    {
      onProgress: ({ phase, fileBytes }) => {
        if (phase === "uploading" && fileBytes > 2_000_000) line.breakStalled();
      },
      onRetry: ({ message }) => {
        errors.push(message);
        line.repair();
      },
    },
  );
  expect(errors).toEqual([`The connection to ${client.relayUrl} was lost. Check the network.`]);
  expect((await client.status(packageId)).status).toBe("waiting");
});

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
