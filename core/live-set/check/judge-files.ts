import type { WavHeader } from "../../audio/wav-header.ts";
import { descend, numberAt, valueAt } from "../set-element.ts";
import { FILE_REF } from "../schema/clip.ts";
import type { XmlNode } from "../xml-tree.ts";
import type { FindingList } from "./finding-list.ts";
import { fileRefOf, judgeChoice, sampleRefsOf } from "./judge-clips.ts";
import { quoted } from "./judge-header.ts";

/** The meaning of a `RelativePathType`. */
export const PLACES = { set: 1, project: 3, path: 0 } as const;

/** A file to which a clip refers. */
export interface FileRequest {
  /** From which folder `relativePath` leads: the Set's, or the project's. Null for a place that isn't searched. */
  readonly from: "set" | "project" | null;
  readonly relativePath: string;
  /** The absolute path; may be empty. */
  readonly path: string;
}

/** A file that a clip refers to, as it is on disk. */
export interface FoundFile {
  /** The path at which it was found. */
  readonly at: "relative path" | "absolute path";
  readonly bytes: number;
  /** Null if the file can't be read. */
  readonly crc: number | null;
  readonly modifiedSeconds: number;
  /** Its header; a sentence if it can't be used, null if it is of a kind that isn't judged. */
  readonly sound:
    | Pick<WavHeader, "encoding" | "bitsPerSample" | "frames" | "sampleRateHz">
    | string
    | null;
}

/** The files of a Set, as its reader found them. */
export interface SetFiles {
  /** True if the project's folder was found: one with `Ableton Project Info`, the Set's or one above it. */
  readonly hasProject: boolean;
  /** Returns null where there is no such file, undefined where none was searched. */
  find(request: FileRequest): FoundFile | null | undefined;
}

/** Returns every file to which a clip refers, once. */
export function fileRequests(root: XmlNode): readonly FileRequest[] {
  const all = sampleRefsOf(root).flatMap((sampleRef) => fileRefOf(sampleRef) ?? []);
  return [...new Map(all.map(requestOf).map((one) => [JSON.stringify(one), one])).values()];
}

function requestOf(fileRef: XmlNode): FileRequest {
  const type = numberAt(fileRef, "RelativePathType");
  const relativePath = valueAt(fileRef, "RelativePath") ?? "";
  const from = type === PLACES.set ? "set" : type === PLACES.project ? "project" : null;
  return { from, relativePath, path: valueAt(fileRef, "Path") ?? "" };
}

/** Judges what clips say about their files, and with `files` also the files (rules LS32 and LS33). */
export function judgeFiles(root: XmlNode, files: SetFiles | undefined, list: FindingList): void {
  for (const sampleRef of sampleRefsOf(root)) {
    judgeModDate(sampleRef, list);
    const fileRef = fileRefOf(sampleRef);
    if (fileRef === undefined) continue;
    judgeChoice(descend(fileRef, "RelativePathType"), RELATIVE_PATH_TYPES, list);
    judgeChoice(descend(fileRef, "Type"), FILE_REF.members.Type.choices, list);
    judgePaths(fileRef, list);
    if (files !== undefined) judgeFile(sampleRef, fileRef, files, list);
  }
}

const RELATIVE_PATH_TYPES = FILE_REF.members.RelativePathType.choices;

function judgeModDate(sampleRef: XmlNode, list: FindingList): void {
  const date = descend(sampleRef, "LastModDate");
  const value = valueAt(date);
  if (date === undefined || value === undefined) return;
  if (!/^[1-9]\d{9}$/.test(value)) list.add(date, "MOD_DATE", { value: quoted(value) });
}

function judgePaths(fileRef: XmlNode, list: FindingList): void {
  const { from, relativePath } = requestOf(fileRef);
  const [relative, absolute] = [descend(fileRef, "RelativePath"), descend(fileRef, "Path")];
  const path = valueAt(absolute) ?? "";
  const isByPath = numberAt(fileRef, "RelativePathType") === PLACES.path;
  if (relative !== undefined && from !== null) {
    const refuse = (how: string) =>
      list.add(relative, "PATH_FORM", { member: relative.tag, value: relativePath, how });
    if (relativePath === "") list.add(relative, "PATH_EMPTY", { member: relative.tag });
    else if (relativePath.includes("\\")) refuse("with backslashes");
    else if (/^(?:\/|[A-Za-z]:)/.test(relativePath)) refuse("not relative");
    else if (from === "project" && relativePath.split("/").includes("..")) {
      refuse("outside the project");
    }
  }
  if (absolute === undefined) return;
  const [one, other] = [relativePath, path].map((each) => each.split(/[\\/]/).at(-1) ?? "");
  if (from !== null && one && other && one !== other) {
    list.add(fileRef, "PATH_NAMES", { one, other });
  }
  if (path === "") {
    if (isByPath) list.add(absolute, "PATH_EMPTY", { member: absolute.tag });
    else list.add(absolute, "NO_PATH", {});
  } else if (path.includes("\\")) {
    list.add(absolute, "PATH_FORM", { member: absolute.tag, value: path, how: "with backslashes" });
  } else if (!/^(?:\/|[A-Za-z]:\/)/.test(path)) {
    list.add(absolute, "PATH_FORM", { member: absolute.tag, value: path, how: "not absolute" });
  }
}

function judgeFile(sampleRef: XmlNode, fileRef: XmlNode, files: SetFiles, list: FindingList): void {
  const request = requestOf(fileRef);
  const { from, relativePath, path } = request;
  const isByPath = numberAt(fileRef, "RelativePathType") === PLACES.path;
  const file = isByPath ? path : relativePath;
  if (from === "project" && !files.hasProject) list.add(fileRef, "NO_PROJECT", {});
  const found = from === null && !isByPath ? undefined : files.find(request);
  if (found === undefined) return list.add(fileRef, "NOT_LOOKED_FOR", { file: quoted(file) });
  if (found === null) return list.add(fileRef, "FILE_MISSING", { file: quoted(file) });
  if (found.at === "absolute path" && from !== null) list.add(fileRef, "ELSEWHERE", { file });
  compareFile(fileRef, "OriginalFileSize", found.bytes, (node, value) =>
    list.add(node, "FILE_SIZE", { value, bytes: found.bytes }),
  );
  const { crc } = found;
  if (crc !== null) {
    compareFile(fileRef, "OriginalCrc", crc, (node, value) =>
      list.add(node, "FILE_CRC", { value, crc }),
    );
  }
  compareFile(sampleRef, "LastModDate", found.modifiedSeconds, (node, value) =>
    list.add(node, "MOD_DATE_DIFFERS", { value, found: found.modifiedSeconds }),
  );
  judgeSound(sampleRef, fileRef, found.sound, list);
}

function judgeSound(
  sampleRef: XmlNode,
  fileRef: XmlNode,
  sound: FoundFile["sound"],
  list: FindingList,
): void {
  if (sound === null) return;
  if (typeof sound === "string") return list.add(fileRef, "FILE_SOUND", { why: sound });
  if (sound.encoding === "pcm" && sound.bitsPerSample === 32) {
    list.add(fileRef, "FILE_INT32", {});
  }
  for (const [member, found] of [
    ["DefaultDuration", sound.frames],
    ["DefaultSampleRate", sound.sampleRateHz],
  ] as const) {
    compareFile(sampleRef, member, found, (node, value) =>
      list.add(node, "FILE_LENGTH", { member, value, found }),
    );
  }
}

/** Compares a number of a reference with the file's; nothing where it is missing. */
function compareFile(
  parent: XmlNode,
  member: string,
  found: number,
  differs: (node: XmlNode, value: string) => void,
): void {
  const node = descend(parent, member);
  if (node !== undefined && numberAt(node) !== found) differs(node, quoted(valueAt(node) ?? ""));
}
