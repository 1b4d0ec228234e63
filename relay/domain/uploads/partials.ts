import { KEPT_JUDGES } from "../../../core/quotas/budgets.ts";
import { type Refusal, refusal } from "../../../core/protocol/refusal.ts";
import {
  type HeldTurn,
  type PartialFile,
  type PartialTurns,
  StoreBusyError,
  TurnLostError,
} from "../ports.ts";
import type { SoundJudge } from "./sound-judge.ts";

/** A call that owns a file, or waits for it. */
interface Turn {
  readonly replacing: AbortController;
  /** Resolves once the call is over, with or without success. */
  readonly over: Promise<void>;
}

/**
 * The call that may continue each file, and the judges of files that nobody continues (rule U10). It decides for
 * the calls of this process; among processes the store does, if it can.
 */
export class Partials {
  /** The newest call of each file; earlier calls are ending. */
  readonly #turns = new Map<string, Turn>();
  /** The kept judges by key, the longest unused first. */
  readonly #judges = new Map<string, SoundJudge>();

  /**
   * Ends the file's call that runs or waits, waits until its bytes are stored, and then acts as the file's only call.
   * @param act gets a signal that aborts, with the refusal as its reason, once a newer call replaces it, and the turn
   *   that it has among processes
   * @param turns set where several processes can continue a file
   * @throws {Refusal} 409 UPLOAD_REPLACED if a newer call replaces it before it could begin
   */
  async run<Result>(
    file: PartialFile,
    act: (replaced: AbortSignal, held?: HeldTurn) => Promise<Result>,
    turns?: PartialTurns,
  ): Promise<Result> {
    const name = nameOf(file);
    const before = this.#turns.get(name);
    before?.replacing.abort(replacedBy(file));
    const replacing = new AbortController();
    const acting = startAfter(before, () => {
      replacing.signal.throwIfAborted();
      if (turns === undefined) return act(replacing.signal);
      return actInTurn(turns, file, replacing, act);
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
  async end(file: PartialFile, turns?: PartialTurns): Promise<void> {
    const turn = this.#turns.get(nameOf(file));
    turn?.replacing.abort(replacedBy(file));
    await turn?.over;
    await turns?.end(file);
  }

  /** Keeps a judge for the call that continues its sound. Forgets the longest unused beyond `KEPT_JUDGES`. */
  keepJudge(key: string, judge: SoundJudge): void {
    this.#judges.set(key, judge);
    for (const oldest of this.#judges.keys()) {
      if (this.#judges.size <= KEPT_JUDGES) break;
      this.#judges.delete(oldest);
    }
  }

  forgetJudge(key: string): void {
    this.#judges.delete(key);
  }

  /** Returns the judge that has seen exactly the stored bytes, if it is still kept. */
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

/** Acts while no other process may continue the file. */
async function actInTurn<Result>(
  turns: PartialTurns,
  file: PartialFile,
  replacing: AbortController,
  act: (replaced: AbortSignal, held: HeldTurn) => Promise<Result>,
): Promise<Result> {
  const { signal } = replacing;
  await using held = await turns.take(file, {
    givenUp: signal,
    onEnd: (why) => replacing.abort(why === "replaced" ? replacedBy(file) : lapsed(file)),
  });
  signal.throwIfAborted();
  if (held === undefined) throw replacedBy(file);
  try {
    return await act(signal, held);
  } catch (error) {
    throw error instanceof TurnLostError ? replacedBy(file) : error;
  }
}

function nameOf({ packageId, file }: PartialFile): string {
  return `${packageId}/${file}`;
}

function replacedBy({ file }: PartialFile): Refusal {
  return refusal("UPLOAD_REPLACED", { file });
}

/** The error of a turn that could not be renewed. Another process may continue the file by now. */
function lapsed(file: PartialFile): StoreBusyError {
  return new StoreBusyError(`The database was away for so long that ${nameOf(file)} was given up.`);
}

function ignore(): void {}
