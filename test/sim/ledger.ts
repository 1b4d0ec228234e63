import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { smallWav } from "../wav-bytes.ts";

/** A package's state as its app reads it, or `gone`: withdrawn, or its computer or app is. */
export type PackageState = "uploading" | "waiting" | "imported" | "partial" | "expired" | "gone";

/** The values from which a sound's bytes are made, whenever they are compared. */
export interface SoundShape {
  readonly frames: number;
  readonly fill: number;
}

/**
 * A line of the ledger. `who` names a computer with its app, `key` one of its packages by its idempotency key. What was
 * only asked (`files`, `sending`, `may`, and null for a boolean) is possible from then on; what was answered is a fact.
 */
export interface Fact {
  readonly who: string;
  readonly importer?: string;
  readonly app?: string;
  readonly isPaired?: boolean | null;
  readonly isErased?: boolean | null;
  readonly key?: string;
  readonly files?: Readonly<Record<string, SoundShape>>;
  readonly id?: string;
  readonly sending?: string;
  readonly uploaded?: string;
  /** A file that the relay says it doesn't have. */
  readonly missing?: string;
  readonly may?: PackageState;
  readonly is?: PackageState;
  readonly isTaken?: boolean;
  /** Its time is over, so its files must be deleted. */
  readonly isEmpty?: boolean;
}

export interface PackageFacts {
  readonly key: string;
  readonly files: Readonly<Record<string, SoundShape>>;
  /** undefined while the announcement is not answered. */
  id: string | undefined;
  /** Files of which an upload was begun, and those that were acknowledged. */
  readonly sending: Set<string>;
  readonly uploaded: Set<string>;
  /** One if the last call was answered, more if not. */
  states: readonly PackageState[];
  isTaken: boolean;
  isEmpty: boolean;
}

/** The facts about one computer and its app; null where a call that ends it was not answered. */
export interface MusicianFacts {
  readonly who: string;
  importer?: string;
  app?: string;
  isPaired: boolean | null;
  isErased: boolean | null;
  readonly packages: PackageFacts[];
}

/** The bytes of a sound of that shape. */
export function bytesOf(shape: SoundShape | undefined): Buffer {
  return shape === undefined ? Buffer.alloc(0) : smallWav(shape);
}

/** Checks whether a relay answered it. */
function isAcknowledged({ files, sending, may, isPaired, isErased }: Fact): boolean {
  return (
    [files, sending, may].every((asked) => asked === undefined) &&
    isPaired !== null &&
    isErased !== null
  );
}

function foldFact(known: MusicianFacts, fact: Fact): void {
  const { who: _, key, files, ...rest } = fact;
  if (key === undefined) {
    Object.assign(known, rest);
    // An app that is unpaired leaves no upload behind (rule S1).
    if (known.isPaired === false || fact.isPaired === null) {
      for (const one of known.packages) {
        if (one.states[0] === "uploading")
          one.states = fact.isPaired === null ? ["uploading", "gone"] : ["gone"];
      }
    }
    return;
  }
  const found = known.packages.find((one) => one.key === key);
  if (found !== undefined) foldPackage(found, fact);
  else if (files !== undefined) {
    const none = { id: undefined, isTaken: false, isEmpty: false };
    known.packages.push({
      key,
      files,
      ...none,
      sending: new Set(),
      uploaded: new Set(),
      states: ["uploading"],
    });
  }
}

function foldPackage(known: PackageFacts, fact: Fact): void {
  const { id, sending, uploaded, missing, may, is, isTaken, isEmpty } = fact;
  known.id = id ?? known.id;
  if (sending !== undefined) known.sending.add(sending);
  if (uploaded !== undefined) known.uploaded.add(uploaded);
  if (missing !== undefined)
    for (const files of [known.sending, known.uploaded]) files.delete(missing);
  if (may !== undefined) known.states = [...new Set([...known.states, may])];
  if (is !== undefined) known.states = [is];
  // A relay commits only what it has whole.
  if (is === "waiting") for (const file of Object.keys(known.files)) known.uploaded.add(file);
  known.isTaken = isTaken ?? known.isTaken;
  known.isEmpty = isEmpty ?? known.isEmpty;
}

/** Counts the sounds that the relay stores of someone, after every state is known. */
function countStored({ isErased, packages }: MusicianFacts): number {
  const kept = packages.filter(({ states: [state], isEmpty }) => state !== "gone" && !isEmpty);
  return isErased === true ? 0 : kept.reduce((sum, { uploaded }) => sum + uploaded.size, 0);
}

/**
 * A relay's acknowledgments; with a path as JSON lines in a file that the relay's kills don't touch. A line is on the
 * disk before anyone uses what it says.
 */
export class Ledger implements AsyncDisposable {
  readonly #file: FileHandle | undefined;
  readonly #musicians = new Map<string, MusicianFacts>();
  #waiting: { readonly fact: Fact; readonly written: () => void }[] = [];
  #writing: Promise<void> = Promise.resolve();
  #facts = 0;

  constructor(file?: FileHandle) {
    this.#file = file;
  }

  /** Opens a ledger with all it has; a line that a power cut tore off was never used, and goes. */
  static async open(path: string): Promise<Ledger> {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(path, "a+");
    const ledger = new Ledger(file);
    const bytes = await file.readFile();
    const whole = bytes.lastIndexOf("\n") + 1;
    await file.truncate(whole);
    for (const line of bytes.toString("utf8", 0, whole).split("\n").slice(0, -1)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this class writes the file
      const fact = JSON.parse(line) as Fact;
      // The leases of an earlier run have ended.
      if (fact.isTaken !== true) ledger.#take(fact);
    }
    return ledger;
  }

  /** Number of lines that are acknowledged facts. */
  get facts(): number {
    return this.#facts;
  }

  get musicians(): readonly MusicianFacts[] {
    return [...this.#musicians.values()];
  }

  /** Number of sounds that a relay must have, after every package's state is known. */
  get promisedSounds(): number {
    return this.musicians.reduce((sum, musician) => sum + countStored(musician), 0);
  }

  of(who: string): MusicianFacts {
    return this.#musicians.get(who) ?? { who, isPaired: false, isErased: false, packages: [] };
  }

  /** Resolves once the line is on the disk. Lines of the same moment share a flush. */
  async note(fact: Fact): Promise<void> {
    if (this.#file === undefined) return this.#take(fact);
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ fact, written: written.resolve });
    if (this.#waiting.length === 1) this.#writing = this.#writing.then(() => this.#write());
    // A write that fails rejects here, too.
    await Promise.all([this.#writing, written.promise]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing;
    await this.#file?.close();
  }

  async #write(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    await this.#file?.appendFile(group.map(({ fact }) => `${JSON.stringify(fact)}\n`).join(""));
    await this.#file?.datasync();
    for (const { fact, written } of group) {
      this.#take(fact);
      written();
    }
  }

  #take(fact: Fact): void {
    const known = this.of(fact.who);
    this.#musicians.set(fact.who, known);
    foldFact(known, fact);
    if (isAcknowledged(fact)) this.#facts += 1;
  }
}
