/** Installing or removing the script failed; the message is a sentence for people. */
export class ScriptError extends Error {
  override readonly name = "ScriptError";
}

/** Runs work on the script's folder, and turns errors of the file system into sentences. */
export async function withScriptErrors<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await work();
  } catch (error) {
    throw sentenceFor(error);
  }
}

function sentenceFor(error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error;
  const path = "path" in error && typeof error.path === "string" ? error.path : "the folder";
  return new ScriptError(sentenceOf(String(error.code), path), { cause: error });
}

function sentenceOf(code: string, path: string): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "The disk is full. Free some space and try again.";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return `Soundferry can't write to ${path}. Make it writable, close programs that use it, and try again.`;
    case "EBUSY":
      return `Another program uses ${path}. Close it and try again.`;
    case "EEXIST":
    case "ENOTDIR":
      return `${path} is in the way, because it isn't a folder. Move it away and try again.`;
    default:
      return `${path} can't be used: the disk reports an error. Check it and try again.`;
  }
}
