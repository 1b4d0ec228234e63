/** A process's actions on its folder, in order. Paths are relative to that folder. */
export type DiskCall =
  /** `bytes`: the file's content after the call, in base64. */
  | { readonly call: "write"; readonly path: string; readonly bytes: string }
  /** Flushes apply to a file's bytes, or to a folder's names. */
  | { readonly call: "flush" | "remove" | "make folder"; readonly path: string }
  | { readonly call: "rename"; readonly path: string; readonly to: string };

/** `begun`: a module was asked to keep the value; `kept`: it has promised that the value survives. */
export interface Note {
  readonly note: "begun" | "kept";
  readonly value: unknown;
}

export type Recorded = DiskCall | Note;
