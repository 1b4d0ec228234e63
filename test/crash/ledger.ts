import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import {
  countStored,
  type Fact,
  foldFact,
  isAcknowledged,
  type MusicianFacts,
  newMusician,
} from "./facts.ts";

/**
 * What a relay acknowledged, as JSON lines in a file that the relay's kills don't touch. A line is on the disk before
 * anyone uses what it says.
 */
export class Ledger implements AsyncDisposable {
  readonly #file: FileHandle;
  readonly #musicians = new Map<string, MusicianFacts>();
  #waiting: { readonly fact: Fact; readonly written: () => void }[] = [];
  #writing: Promise<void> = Promise.resolve();
  #facts = 0;

  private constructor(file: FileHandle) {
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
      // A lease of an earlier run ends without a word.
      if (fact.kind !== "taken") ledger.#take(fact);
    }
    return ledger;
  }

  /** How many lines are acknowledged facts. */
  get facts(): number {
    return this.#facts;
  }

  get musicians(): readonly MusicianFacts[] {
    return [...this.#musicians.values()];
  }

  /** How many sounds a relay must have, once every package's state is known. */
  get promisedSounds(): number {
    return this.musicians.reduce((sum, musician) => sum + countStored(musician), 0);
  }

  of(who: string): MusicianFacts {
    return this.#musicians.get(who) ?? newMusician(who);
  }

  /** Resolves once the line is on the disk. Lines of the same moment share a flush. */
  async note(fact: Fact): Promise<void> {
    const written = Promise.withResolvers<void>();
    this.#waiting.push({ fact, written: written.resolve });
    if (this.#waiting.length === 1) this.#writing = this.#writing.then(() => this.#write());
    // A write that fails rejects here, too.
    await Promise.all([this.#writing, written.promise]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  async #write(): Promise<void> {
    const group = this.#waiting;
    this.#waiting = [];
    await this.#file.appendFile(group.map(({ fact }) => `${JSON.stringify(fact)}\n`).join(""));
    await this.#file.datasync();
    for (const { fact, written } of group) {
      this.#take(fact);
      written();
    }
  }

  #take(fact: Fact): void {
    this.#musicians.set(fact.who, foldFact(this.of(fact.who), fact));
    if (isAcknowledged(fact)) this.#facts += 1;
  }
}
