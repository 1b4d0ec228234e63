import { cp, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { GOOD, swap } from "../../core/live-set/check/good-set.ts";
import { smallWav } from "../../wav-bytes.ts";
import { runOnce } from "../run-soundferry.ts";
import { checkSets, codesOf, SetProject, WAV } from "./set-project.ts";

describe("the command", () => {
  test("[LS20][LS33][K5] a Set with its files has no finding, and nothing is changed", async () => {
    const { folder, set } = await SetProject.make();
    const before = await stat(set);
    expect(await checkSets(set)).toEqual({
      status: 0,
      stderr: "",
      sets: [
        {
          file: set,
          schema: "11.0_433",
          members_judged: true,
          findings: [],
          notes: [],
          more: 0,
          not_judged: [],
        },
      ],
    });
    expect((await stat(set)).mtimeMs).toBe(before.mtimeMs);
    expect((await readdir(folder)).toSorted()).toEqual([
      "Ableton Project Info",
      "Good.als",
      "Samples",
    ]);
  });

  test("[LS20][LS21] a finding is printed with its place, its sentence and Live's words", async () => {
    const project = await SetProject.make();
    await project.writeSet(swap('<Scene Id="1">', '<Scene Id="0">')(GOOD));
    const { status, stdout } = await runOnce(["live-set", "check", project.set]);
    expect(status).toBe(1);
    const line = GOOD.split("\n").findIndex((each) => each.includes('<Scene Id="1">')) + 1;
    expect(stdout.split("\n")).toEqual([
      `${project.set}: schema 11.0_433`,
      `  wrong  LiveSet/Scenes/Scene[Id=0], line ${line}`,
      "         Another member of this list has the Id 0, too.",
      "         Live: Non-unique list ids",
      "1 Set, 1 finding. This check was not yet compared with a real Live.",
      "",
    ]);
  });

  test("[LS20][LS34] says what isn't judged", async () => {
    const project = await SetProject.make();
    await project.writeSet(
      swap("11.0_433", "11.0_11300")(GOOD).replace("</Tracks>", '<MidiTrack Id="9" /></Tracks>'),
    );
    const other = await runOnce(["live-set", "check", project.set]);
    expect(other.stdout).toContain("  Its members aren't judged: only 11.0_433 is described.\n");
    await project.writeSet(swap("<Devices />", '<Devices><Reverb Id="0" /></Devices>')(GOOD));
    const devices = await runOnce(["live-set", "check", project.set]);
    expect(devices).toMatchObject({ status: 0 });
    expect(devices.stdout).toContain("  Not judged inside: 1 × Reverb.\n");
  });

  test("[LS20] a file that can't be read ends with 2, and the others are judged", async () => {
    const project = await SetProject.make();
    const missing = join(project.folder, "Missing.als");
    const { status, sets } = await checkSets(missing, project.set, project.folder);
    expect(status).toBe(2);
    expect(sets).toEqual([
      { file: missing, error: "It can't be found." },
      expect.objectContaining({ file: project.set, findings: [] }),
      { file: project.folder, error: "It isn't a file." },
    ]);
  });

  test.each([[[]], [["check"]], [["chek", "a.als"]]])(
    "[K1] live-set %j is wrong use",
    async (words) => {
      const { status, stdout } = await runOnce(["live-set", ...words]);
      expect([status, stdout]).toEqual([2, ""]);
    },
  );
});

describe("the container", () => {
  const packed = gzipSync(GOOD);
  const named = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 8, 1, 0, 0, 0, 0, 3]),
    Buffer.from("Good.xml\0"),
    packed.subarray(10),
  ]);

  test.each<readonly [code: string, Buffer | string]>([
    ["PLAIN_XML", GOOD],
    ["GZIP_HEAD", named],
    ["BYTE_ORDER_MARK", gzipSync(`\u{feff}${GOOD}`)],
  ])("[LS22] %s is a note", async (code, bytes) => {
    const { set } = await SetProject.make();
    await writeFile(set, bytes);
    expect(await codesOf(set)).toEqual({ status: 0, findings: [], notes: [code] });
  });

  test.each([
    ["zeros", Buffer.alloc(8)],
    ["a second gzip", gzipSync("")],
  ])("[LS22] %s behind the compressed data is a finding", async (_what, more) => {
    const { set } = await SetProject.make();
    await writeFile(set, Buffer.concat([packed, more]));
    expect(await codesOf(set)).toEqual({ status: 1, findings: ["BEHIND_GZIP"], notes: [] });
  });

  test.each<readonly [says: string, Buffer | string]>([
    ["Its compressed data is damaged.", packed.subarray(0, -100)],
    ["Its compressed data is damaged.", Buffer.concat([packed.subarray(0, -6), Buffer.alloc(6)])],
    ["Its compressed data is damaged.", packed.subarray(0, 2)],
    ["Its compressed data is damaged.", Buffer.concat([packed, Buffer.from("more")])],
    ["It isn't UTF-8 text, so it can't be a Set.", Buffer.from(`\u{feff}${GOOD}`, "utf16le")],
    ["The XML has a character that XML forbids (line 1).", Buffer.from(GOOD, "utf16le")],
    ["The XML ends inside <LiveSet> (line 3).", gzipSync(GOOD.split("\n").slice(0, 3).join("\n"))],
    ["The XML is empty (line 1).", ""],
  ])("[LS22] is read, or a sentence says: %s", async (error, bytes) => {
    const { set } = await SetProject.make();
    await writeFile(set, bytes);
    expect(await checkSets(set)).toMatchObject({ status: 2, sets: [{ file: set, error }] });
  });
});

describe("the files", () => {
  const fault = (code: string) => ({ status: 1, findings: [code], notes: [] });

  test("[LS33] are searched in the project of a Set that lies deeper in it", async () => {
    const { folder, set } = await SetProject.make();
    const deeper = join(folder, "Versions", "Good.als");
    await mkdir(join(folder, "Versions"));
    await rename(set, deeper);
    expect(await codesOf(deeper)).toEqual({ status: 0, findings: [], notes: [] });
  });

  test("[LS33] of a project need its folder", async () => {
    const { folder, set } = await SetProject.make();
    await rm(join(folder, "Ableton Project Info"), { recursive: true });
    expect(await codesOf(set)).toEqual(fault("NO_PROJECT"));
  });

  test("[LS33] are searched beside the Set if they are relative to it", async () => {
    const project = await SetProject.make();
    const xml = GOOD.replaceAll('PathType Value="3"', 'PathType Value="1"').replaceAll(
      "Samples/Imported/Loop.wav",
      "../Loop.wav",
    );
    const deeper = join(project.folder, "Deeper");
    await mkdir(deeper);
    await project.writeSet(xml, join(deeper, "Good.als"));
    expect(await codesOf(join(deeper, "Good.als"))).toEqual(fault("FILE_MISSING"));
    await cp(project.wav, join(project.folder, "Loop.wav"), { preserveTimestamps: true });
    expect(await codesOf(join(deeper, "Good.als"))).toMatchObject({ status: 0, notes: [] });
  });

  test("[LS33] may be at their absolute path, but not on another computer", async () => {
    const project = await SetProject.make();
    const elsewhere = join(project.folder, "Loop.wav");
    await rename(project.wav, elsewhere);
    const at = (path: string) =>
      GOOD.replaceAll('Path Value="/Sets/Loop.wav"', `Path Value="${path}"`);
    await project.writeSet(at(elsewhere));
    expect(await codesOf(project.set)).toEqual({ status: 0, findings: [], notes: ["ELSEWHERE"] });
    // Two slashes lead to another computer on Windows, and to the same file here.
    await project.writeSet(at(`/${elsewhere}`));
    expect(await codesOf(project.set)).toEqual(fault("FILE_MISSING"));
  });

  test.each<readonly [code: string, Uint8Array]>([
    ["FILE_CRC", smallWav({ frames: 176_400, fill: 1 })],
    ["FILE_SIZE", Buffer.concat([WAV, Buffer.from("LIST\0\0\0\0")])],
  ])("[LS33] with other bytes are %s", async (code, bytes) => {
    const project = await SetProject.make();
    await project.writeWav(bytes);
    const { findings } = await codesOf(project.set);
    expect(findings).toContain(code);
  });

  test("[LS33] that aren't whole can't be used, and those of 32-bit whole numbers are refused by Live", async () => {
    const project = await SetProject.make();
    await project.writeWav(WAV.subarray(0, 1000));
    expect((await codesOf(project.set)).findings).toEqual(["FILE_SIZE", "FILE_CRC", "FILE_SOUND"]);
    await project.writeWav(smallWav({ frames: 176_400, bits: 32 }));
    expect((await codesOf(project.set)).findings).toContain("FILE_INT32");
  });
});
