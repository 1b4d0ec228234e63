import { KEPT_JUDGES } from "../../../core/quotas/budgets.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { UploadTarget } from "../uploads/find-uploadable.ts";
import type { SoundJudge } from "../uploads/sound-judge.ts";

/** A file of a package. */
type File = Pick<UploadTarget, "packageId" | "file">;

/** A call that has a file for itself, or waits for it. */
interface Turn {
  readonly replacing: AbortController;
  /** Resolves once it is over, however it ended. */
  readonly over: Promise<void>;
}

/** Whose turn it is to continue each file in this process, and what is known of those that nobody continues (rule U10). */
export class Partials {
  /** The last of the calls of each file; those before it are ending. */
  readonly #turns = new Map<string, Turn>();
  /** By key, the longest unused first. */
  readonly #judges = new Map<string, SoundJudge>();

  /**
   * Ends the file's call that runs or waits, waits until what it received is stored, and then acts as the file's only one.
   * @param act gets a signal that aborts, with the refusal as its reason, once a newer call replaces it
   * @throws {Refusal} 409 UPLOAD_REPLACED if that comes before it could begin
   */
  async run<Result>(file: File, act: (replaced: AbortSignal) => Promise<Result>): Promise<Result> {
    const name = nameOf(file);
    const before = this.#turns.get(name);
    before?.replacing.abort(replacedBy(file));
    const replacing = new AbortController();
    const acting = startAfter(before, () => {
      replacing.signal.throwIfAborted();
      return act(replacing.signal);
    });
    const turn = { replacing, over: acting.then(ignore, ignore) };
    this.#turns.set(name, turn);
    try {
      return await acting;
    } finally {
      if (this.#turns.get(name) === turn) this.#turns.delete(name);
    }
  }

  /** Ends the file's call that runs or waits, and resolves once it is over. */
  async end(file: File): Promise<void> {
    const turn = this.#turns.get(nameOf(file));
    turn?.replacing.abort(replacedBy(file));
    await turn?.over;
  }

  /** Keeps what a judge has seen for the call that continues its sound. Forgets the longest unused beyond `KEPT_JUDGES`. */
  keepJudge(key: string, judge: SoundJudge): void {
    this.#judges.set(key, judge);
    for (const oldest of this.#judges.keys()) {
      if (this.#judges.size <= KEPT_JUDGES) break;
      this.#judges.delete(oldest);
    }
  }

  /** The judge that has seen exactly the bytes that are stored, if it is still kept. */
  takeJudge(key: string, storedBytes: number): SoundJudge | undefined {
    const judge = this.#judges.get(key);
    this.#judges.delete(key);
    return judge?.receivedBytes === storedBytes ? judge : undefined;
  }
}

async function startAfter<Result>(
  before: Turn | undefined,
  act: () => Promise<Result>,
): Promise<Result> {
  await before?.over;
  return act();
}

function nameOf({ packageId, file }: File): string {
  return `${packageId}/${file}`;
}

function replacedBy({ file }: File): Refusal {
  return refusal("UPLOAD_REPLACED", { file });
}

function ignore(): void {}
