import { once } from "node:events";
import type { PlacedSound } from "../../../core/report/placed-sound.ts";
import type { Host, PlaceRequest } from "../../../addon/hosts/host.ts";

/** A run's later looks, which a test lets the host find. */
interface Looks {
  readonly found: (readonly PlacedSound[])[];
  wake: () => void;
  isOver: boolean;
  /** The end of the follower: undefined while it follows. */
  end: "over" | "aborted" | undefined;
}

/** A host that takes everything as requested, and in which a test lets clips change afterwards. */
export class LookingHost implements Host {
  readonly name: string;
  readonly can = { resumes: true };
  /** The run ids that were followed, in order. */
  readonly followed: string[] = [];
  /** The number of sounds for which it has room. */
  room = Infinity;
  readonly #looks = new Map<string, Looks>();
  readonly #placed = new Map<string, readonly PlacedSound[]>();

  constructor(name = "live") {
    this.name = name;
  }

  async place({ layout, journal }: PlaceRequest): Promise<readonly PlacedSound[]> {
    const usable = layout.tracks.flatMap((track) => ("error" in track ? [] : [track]));
    const placed = usable.map((holds, index): PlacedSound => {
      const { soundId } = holds;
      return index < this.room ? { soundId, holds, notes: [] } : { soundId, skipped: "No room." };
    });
    this.#placed.set(journal.runId, placed);
    return placed;
  }

  async *follow(runId: string, signal: AbortSignal): AsyncIterable<readonly PlacedSound[]> {
    this.followed.push(runId);
    const looks: Looks = { found: [], wake: () => {}, isOver: false, end: undefined };
    this.#looks.set(runId, looks);
    try {
      for (;;) {
        const next = looks.found.shift();
        if (next !== undefined) yield next;
        else if (looks.isOver) return;
        else await Promise.race([this.#change(looks), once(signal, "abort")]);
        signal.throwIfAborted();
      }
    } finally {
      looks.end = signal.aborted ? "aborted" : "over";
    }
  }

  /** A later look finds a run, the last by default, with other gains, by sound id; without any, it is as before. */
  find(gains: Readonly<Record<string, number>>, runId = this.followed.at(-1)): void {
    const placed = (this.#placed.get(runId ?? "") ?? []).map((sound) => {
      const gainDb = gains[sound.soundId];
      if (gainDb === undefined || !("holds" in sound)) return sound;
      const { soundId, holds, notes } = sound;
      return { soundId, holds: { ...holds, gainDb }, notes };
    });
    this.#of(runId).found.push(placed);
    this.#of(runId).wake();
  }

  end(runId = this.followed.at(-1)): void {
    this.#of(runId).isOver = true;
    this.#of(runId).wake();
  }

  endOf(runId: string): Looks["end"] {
    return this.#of(runId).end;
  }

  #of(runId: string | undefined): Looks {
    const looks = this.#looks.get(runId ?? "");
    if (looks === undefined) throw new RangeError(`Nobody follows ${runId}.`);
    return looks;
  }

  #change(looks: Looks): Promise<void> {
    return new Promise((resolve) => {
      looks.wake = resolve;
    });
  }
}
