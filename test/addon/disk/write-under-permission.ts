import { open } from "node:fs/promises";
import { join } from "node:path";
import { Buffer } from "node:buffer";
import {
  appendSync,
  makeDurableFolder,
  replaceFile,
  writeFileAtomically,
} from "../../../addon/disk/atomic-file.ts";
import { PartFile } from "../../../addon/disk/part-file.ts";
import { makeGainedCopy } from "../../../addon/hosts/live/sdk/gained-copy.ts";

// Run by `flush.test.ts` in a process with Node's permission model: makes a file in each way that flushes.

const [folder = ""] = process.argv.slice(2);
await writeFileAtomically(join(folder, "state.json"), "{}");
replaceFile(join(folder, "part.json"), "{}");
appendSync(join(folder, "run.jsonl"), "{}");
await makeDurableFolder(join(folder, "in/here"));
const download = join(folder, "sound.wav");
const part = await PartFile.open(download);
await part.write(Buffer.from("sound"));
await part.finish(download);
await makeGainedCopy(join(folder, "Kick.wav"), -24, new AbortController().signal);

const file = await open(download, "r");
const refusals = await Promise.allSettled([file.datasync(), file.sync()]);
await file.close();
process.stdout.write(JSON.stringify(refusals.map(({ status }) => status)));
