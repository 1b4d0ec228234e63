import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { buildImporter } from "../../addon/build-importer.ts";
import type { Host } from "../../addon/hosts/host.ts";
import { readImporterSettings } from "../../addon/settings.ts";

const ROOT = join(import.meta.dirname, "../..");

test("the host of docs/hosts.md is under 60 lines and prints what it is asked", async () => {
  const folder = await mkdtemp(join(tmpdir(), "soundferry-hosts-"));
  try {
    const page = await readFile(join(ROOT, "docs/hosts.md"), "utf8");
    const source = /```ts\n(.*?)```/s.exec(page)?.[1] ?? "";
    expect(source.split("\n").length).toBeLessThan(60);
    const file = join(folder, "printing-host.ts");
    await writeFile(file, source);
    const { PrintingHost } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
      PrintingHost: new (print: (line: string) => void) => Host;
    };

    const printed: string[] = [];
    await mkdir(join(folder, "sounds"));
    const settings = readImporterSettings({
      environment: {
        SOUNDFERRY_IMPORTER_DATA: join(folder, "importer"),
        SOUNDFERRY_SOUNDS: join(folder, "sounds"),
      },
    });
    const host = new PrintingHost((line) => printed.push(line));
    await using importer = buildImporter({ settings, host });
    const outcome = await importer.import(
      join(ROOT, "fixtures/packages/explicit-warp-and-colours"),
    );

    expect(outcome.status).toBe("imported");
    expect(printed[0]).toBe(`scene  ${outcome.scene.name}`);
    expect(printed.filter((line) => line.startsWith("track"))).toHaveLength(outcome.tracks.length);
    expect(printed.join("\n")).toContain("warped complex_pro");
    expect(outcome.tracks[0]?.notes).toContain("Printed, not played.");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
