/** Bytes that became part of a package, or of a file that is sent in several calls. */
export interface ReceivedBytes {
  /** The sender's address, as its limits count it. */
  readonly address: string;
  readonly bytes: number;
  readonly at: number;
}

/** A file that is sent in several calls, as far as it has arrived (rule U10). */
export interface PartialSound {
  /** The pending key. */
  readonly key: string;
  /** Number of its bytes that are known to be durable. */
  readonly storedBytes: number;
}

/** A key that becomes the partial of a file. */
export interface BegunPartial {
  readonly key: string;
  readonly file: string;
  /** The call's turn, if the store has turns. */
  readonly turn?: PartialTurn | undefined;
}

/** A partial with the bytes that became durable. */
export interface KeptPartial extends PartialSound {
  /** The bytes since it was last kept, for the bytes of their address's day (rule L4). */
  readonly received: ReceivedBytes;
  /** The call's turn, if the store has turns. */
  readonly turn?: PartialTurn | undefined;
}

/**
 * The keys of the sound store that no package has: those being uploaded (pending) and those to be deleted
 * (doomed). Together with the packages they name every key that may hold bytes, so that deleting never has to
 * list the sound store, and what no record names was left over by trouble (rule Z4).
 *
 * A key is `<package id>/<random>`, so that a store can look for it in that package.
 *
 * A pending key may become a *partial*, one of a file that is sent in several calls (rule U10). A file has one at most. It
 * outlives the process that writes it. It is doomed in the same step in which its package gets the file with another key,
 * has its files deleted, or is removed. Its bytes count for its package's device as stored, unless the package holds room:
 * that is for them, too.
 *
 * They share the packages' database and transactions: see `PackageRecords`. Their changes are durable and
 * atomic like those of `PairingRecords`.
 */
export interface SoundKeys {
  /** Set if several processes can continue a file. Then only the call that has its turn does. */
  readonly turns?: PartialTurns;
  /**
   * Records a key as pending, before its first byte is stored. After `endsAt` nobody writes to it.
   * Rejects a key that is in use: pending, doomed, or part of a package. It stays pending when its package is removed:
   * the call that writes it deletes its bytes.
   */
  addPending(key: string, endsAt: number): Promise<void>;
  /**
   * Makes a pending key the partial of a file of its package. Returns false, and changes nothing, if the package is removed
   * or committed, or its files are deleted. Rejects if the key isn't pending, or if the file has a partial.
   * @throws {TurnLostError} if its turn is another call's
   */
  beginPartial(partial: BegunPartial): Promise<boolean>;
  /** Returns the partials of a package, by file name; undefined if the package is removed, or its files are deleted. */
  findPartials(packageId: string): Promise<ReadonlyMap<string, PartialSound> | undefined>;
  /**
   * Records the durable bytes of a partial. Returns false, and records nothing, if the key isn't a partial any more.
   * @throws {TurnLostError} if its turn is another call's
   */
  keepPartial(partial: KeptPartial): Promise<boolean>;
  /**
   * Dooms pending keys that nobody writes to any more.
   * @throws {TurnLostError} if the partial's turn is another call's
   */
  doom(keys: EndedKeys): Promise<void>;
  /**
   * Lists keys after the given one, in the order of their code units, as JavaScript compares strings. In a database that
   * sorts by language, ask for it: `COLLATE "C"` in PostgreSQL.
   */
  list(page: KeyPage): Promise<readonly string[]>;
  /** Removes pending and doomed keys once their bytes are deleted. Ignores other keys. */
  remove(keys: readonly string[]): Promise<void>;
}

/** A time, for all pending keys that end by then, or one partial. */
export type EndedKeys =
  | PendingEnd
  | {
      /** The partial's key. Other keys are ignored. */
      readonly partial: string;
      /** The call's turn, if the store has turns. */
      readonly turn?: PartialTurn | undefined;
    };

/** Selects the pending keys whose `endsAt` is not after a time: their writers are gone. */
export interface PendingEnd {
  readonly endedBy: number;
  /** The same for partials, where that is earlier. */
  readonly partialsEndedBy?: number | undefined;
}

/** The keys to list: all doomed ones, or pending ones that end by a time. */
export type KeyPage = (
  | { readonly state: "doomed" }
  | ({ readonly state: "pending" } & PendingEnd)
) & {
  readonly after?: string | undefined;
  readonly limit: number;
};

/** A file of a package. */
export interface PartialFile {
  readonly packageId: string;
  readonly file: string;
}

/** The turn to continue a file. Each has a greater number than those before it. */
export interface PartialTurn extends PartialFile {
  readonly number: number;
}

/** The refusal of a change because another call has the turn by now. Nothing was changed. */
export class TurnLostError extends Error {
  override readonly name = "TurnLostError";
}

/**
 * The turns to continue files, among all processes on the database: one call has a file's turn at a time. A turn lapses
 * once its process has not renewed it for a few seconds, so that a killed process delays nobody.
 */
export interface PartialTurns {
  /**
   * Ends the call that has the turn or waits for it, waits until it has given the turn back or the turn has lapsed, and
   * takes it. The newest call wins.
   * @returns undefined if a newer call came before it had the turn, or once `givenUp` aborts
   * @throws {StoreBusyError} if the other call doesn't end in time
   */
  take(file: PartialFile, options: TurnOptions): Promise<HeldTurn | undefined>;
  /** Ends the call that has the turn, if there is one. Resolves once the turn is given back or has lapsed. */
  end(file: PartialFile): Promise<void>;
}

export interface TurnOptions {
  /**
   * Called once, when the call must end and dispose its turn: a newer call wants the turn (`replaced`), or it could not
   * be renewed in time (`lapsed`).
   */
  readonly onEnd: (why: "replaced" | "lapsed") => void;
  /** Ends the wait for the turn. */
  readonly givenUp: AbortSignal;
}

/** A turn that a call has until it is disposed. Disposing never rejects. */
export interface HeldTurn extends AsyncDisposable {
  readonly turn: PartialTurn;
  /** Renews it now. @throws {TurnLostError} */
  confirm(): Promise<void>;
}
