import { mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { FILE, GOOD } from "../../core/live-set/check/good-set.ts";
import { smallWav } from "../../wav-bytes.ts";
import { runOnce } from "../run-soundferry.ts";
import { temporaryFolder } from "../../addon/temporary-folder.ts";

/** The audio file of every clip of the good Set. */
export const WAV = smallWav({ frames: 176_400 });

/** A Live project with the good Set, and the file to which its clips refer. */
export class SetProject {
  readonly folder: string;
  readonly set: string;
  readonly wav: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.set = join(folder, "Good.als");
    this.wav = join(folder, "Samples/Imported/Loop.wav");
  }

  static async make(): Promise<SetProject> {
    const project = new SetProject(await temporaryFolder());
    await mkdir(join(project.folder, "Ableton Project Info"));
    await mkdir(join(project.folder, "Samples/Imported"), { recursive: true });
    await project.writeWav(WAV);
    await project.writeSet(GOOD);
    return project;
  }

  async writeSet(xml: string, path = this.set): Promise<void> {
    await writeFile(path, gzipSync(xml));
  }

  async writeWav(bytes: Uint8Array, path = this.wav): Promise<void> {
    await writeFile(path, bytes);
    await utimes(path, FILE.modifiedSeconds, FILE.modifiedSeconds);
  }
}

/** Checks Sets and returns the exit status and what is printed of each. */
export async function checkSets(...files: readonly string[]) {
  const { status, stdout, stderr } = await runOnce(["live-set", "check", ...files, "--json"]);
  const { sets } = JSON.parse(stdout);
  return { status, stderr, sets };
}

/** The codes of the findings and of the notes on one Set, each once. */
export async function codesOf(file: string) {
  const { status, sets } = await checkSets(file);
  const codes = (found: readonly { code: string }[]) => [...new Set(found.map(({ code }) => code))];
  return { status, findings: codes(sets[0].findings), notes: codes(sets[0].notes) };
}
