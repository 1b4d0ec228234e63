/** Something wrong with a sound's file, or with what the manifest says of it (rules B7, B8). */
export interface FileProblem {
  /** The sound's id. */
  readonly sound: string;
  /**
   * `SHA256_DIFFERS` and `SIZE_DIFFERS`: the manifest is wrong about the file. `WAV_LFS_POINTER` and `IN_ICLOUD`: the file
   * isn't there yet. `FILE_ABSENT`; a refusal of rule U4, such as `WAV_CUT_SHORT`; else `UNUSABLE`.
   */
  readonly code: string;
  /** A sentence that names the sound. */
  readonly text: string;
  /** True if a person may accept it: a file that is missing or broken, not one that only isn't there yet. */
  readonly isAcceptable: boolean;
}

/** Codes of what nobody can accept: it says nothing about the sound that is meant. */
const NEVER_ACCEPTED: ReadonlySet<string> = new Set([
  "SHA256_DIFFERS",
  "SIZE_DIFFERS",
  "WAV_LFS_POINTER",
  "IN_ICLOUD",
]);

/** Describes a problem of a sound. */
export function fileProblem(
  { id, name }: { readonly id: string; readonly name: string },
  code: string,
  sentence: string,
): FileProblem {
  // Sentences about the manifest name the sound: `Sound 1 "Kick": …`
  const text = sentence.includes(`"${name}"`) ? sentence : `${name}: ${sentence}`;
  return { sound: id, code, text, isAcceptable: !NEVER_ACCEPTED.has(code) };
}
