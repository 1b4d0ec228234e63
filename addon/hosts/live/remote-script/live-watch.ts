import { REAL_TIMERS, type Timers } from "../../../timers.ts";
import type { SurfaceClient } from "./control-surface-client.ts";
import { UnreachableError } from "./control-surface-error.ts";
import {
  findControlSurfaces,
  type FoundSurfaces,
  listSecrets,
  QUICK_MS,
  WHEN_ABSENT,
} from "./find-control-surface.ts";
import { formatLive, unsupportedSentence } from "./live-version.ts";
import { type LookMessage, readLook } from "./outcome-message.ts";

/** The number of attempts after which nobody at a port file's port is expected to answer. */
const MOST_FAILURES = 10;

/**
 * The connections that stay open to the Lives that run: while a menu is open in Live, nothing else shows that the
 * control surface runs. Of several Lives, the one to use is found again whenever another starts.
 */
export class LiveWatch {
  readonly #folders: readonly string[];
  readonly #timers: Timers;
  #found: FoundSurfaces | undefined;
  /** The number of attempts in vain to reach a control surface, by its secret. */
  readonly #failures = new Map<string, number>();
  #trouble = WHEN_ABSENT;
  #looking: Promise<LookMessage | null> | undefined;

  /** @param folders in which port files may be */
  constructor(folders: readonly string[], timers: Timers = REAL_TIMERS) {
    this.#folders = folders;
    this.#timers = timers;
  }

  /** The control surface that answered last; undefined where none has. */
  get client(): SurfaceClient | undefined {
    return this.#found?.client;
  }

  /** A sentence on what to do where no Live can place sounds. */
  get trouble(): string {
    const { client } = this;
    const isUnsupported = client?.isOpen === true && !client.welcome.makesClips;
    return isUnsupported ? unsupportedSentence(client.welcome) : this.#trouble;
  }

  /** Names the Live that answered last, such as `Live 12.1.5 Standard`. */
  describe(): string {
    if (this.#found === undefined) return "Live";
    const lives = this.#open().length;
    return formatLive(this.#found.client.welcome) + (lives > 1 ? ` (1 of ${lives} running)` : "");
  }

  /** Connects to the Live to use, in under a second; undefined where none answers. */
  async find(): Promise<SurfaceClient | undefined> {
    const open = this.client?.isOpen === true ? this.client : undefined;
    const others = (await listSecrets(this.#folders)).filter((secret) => !this.#isOpenAt(secret));
    // A file that a crash left isn't tried for ever.
    const isNew = others.some((secret) => (this.#failures.get(secret) ?? 0) < MOST_FAILURES);
    if (open !== undefined && !isNew) return open;
    try {
      const options = { folders: this.#folders, soundFolders: [], patienceMs: QUICK_MS };
      this.#take(await findControlSurfaces({ ...options, timers: this.#timers }));
      for (const secret of others.filter((each) => !this.#isOpenAt(each))) {
        this.#failures.set(secret, 1 + (this.#failures.get(secret) ?? 0));
      }
      return this.client;
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      this.#trouble = error.reason === "version" ? error.message : WHEN_ABSENT;
      return open;
    }
  }

  /** Returns the connection to the control surface with a secret; undefined where it isn't reached. */
  async connectionTo(secret: string): Promise<SurfaceClient | undefined> {
    await this.find();
    return this.#open().find((each) => each.secret === secret);
  }

  /** Looks at the Set; null where no quick answer comes. Calls at the same time share one look. */
  look(): Promise<LookMessage | null> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Replaces the connections, but keeps one on which an answer may be on its way. */
  #take({ client, others, isNewest }: FoundSurfaces): void {
    const before = this.#found;
    const isSame = before?.client.isOpen === true && before.client.secret === client.secret;
    this.#found = { client: isSame ? before.client : client, others, isNewest };
    const unused = isSame ? client : before?.client;
    for (const each of [unused, ...(before?.others ?? [])]) each?.close();
  }

  #isOpenAt(secret: string): boolean {
    return this.#open().some((each) => each.secret === secret);
  }

  #open(): readonly SurfaceClient[] {
    if (this.#found === undefined) return [];
    const { client, others } = this.#found;
    return [client, ...others].filter(({ isOpen }) => isOpen);
  }

  /** Closes the connections; they are opened again when they are needed. */
  close(): void {
    for (const each of this.#open()) each.close();
    this.#found = undefined;
  }

  async #look(): Promise<LookMessage | null> {
    const client = await this.find();
    if (client === undefined) return null;
    const { promise, resolve } = Promise.withResolvers<null>();
    const cancel = this.#timers.after(QUICK_MS, () => resolve(null));
    return Promise.race([client.request("look").then(readLook), promise]).finally(cancel);
  }
}
