import { Buffer } from "node:buffer";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { smallWav } from "../../wav-bytes.ts";
import type { Page } from "playwright-core";

/** A file as a browser's chooser gives it. */
export interface ChosenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export function chosen(name: string, buffer: Buffer, mimeType = "audio/wav"): ChosenFile {
  return { name, mimeType, buffer };
}

/** Chooses such files on a page. */
export async function addFiles(page: Page, ...files: readonly ChosenFile[]): Promise<void> {
  await page.getByLabel("Sound files").setInputFiles(files);
}

/** The path of a 16-bit mono WAV at 44.1 kHz with so many bytes of sound, until the test is over. */
export async function wavOnDisk(name: string, dataBytes: number): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, smallWav({ frames: Math.floor(dataBytes / 2), fill: 7 }));
  return path;
}

/** A WAV with one more chunk after its sound. */
export function withChunk(wav: Buffer, id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(id, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([wav, head, body]);
}

/** The body of an `acid` chunk. */
export function acidBody(beats: number, tempoBpm: number, flags = 0): Buffer {
  const body = Buffer.alloc(24);
  body.writeUInt32LE(flags, 0);
  body.writeUInt32LE(beats, 12);
  body.writeFloatLE(tempoBpm, 20);
  return body;
}

/** The body of a `smpl` chunk with one loop, whose end belongs to it. */
export function samplerBody(startFrame: number, endFrame: number): Buffer {
  const body = Buffer.alloc(60);
  body.writeUInt32LE(1, 28);
  body.writeUInt32LE(startFrame, 44);
  body.writeUInt32LE(endFrame, 48);
  return body;
}

/** Drops files and folders at these absolute paths, as a person would. */
export async function dropOnPage(page: Page, ...files: readonly string[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await devtools.send("Input.dispatchDragEvent", { type, x: 100, y: 200, data });
  }
  await devtools.detach();
}
