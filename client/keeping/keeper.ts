import type { DescribedPackage } from "../send/describe-package.ts";
import { loadKeeping } from "../parts/parts.ts";
import { prepareDescribed, sumOfBytes } from "../send/prepare-package.ts";
import type { SendOptions, SentPackage, Unfinished } from "../send/send-options.ts";
import { isFinal, sendPackage } from "../send/send-package.ts";
import { KEPT_FOR_MS, type SendDeps, type SendRun } from "../send/send-run.ts";
import { soundNameOf } from "../send/sound-names.ts";
import { AbortedSend } from "../send/withdrawals.ts";
import { ClientError } from "../wire/client-error.ts";
import { randomId } from "../wire/random-id.ts";
import type { KeptPackage, KeptPackages, UnkeptPackage } from "./kept-packages.ts";

/** Keeps packages in the browser until they are sent or a day has passed, and resumes them. */
export class Keeper {
  #loaded: KeptPackages | undefined;
  readonly #deps: SendDeps;
  readonly #relayUrl: string;

  constructor(deps: SendDeps, relayUrl: string) {
    this.#deps = deps;
    this.#relayUrl = relayUrl;
  }

  /** Keeps a package and sends it. If the browser stores nothing, only sends it. */
  async send(described: DescribedPackage, options: SendOptions): Promise<SentPackage> {
    const { idempotencyKey, keepId, keep: wanted, onNotKept } = options;
    const kept: UnkeptPackage = {
      id: idempotencyKey ?? keepId ?? randomId(),
      isOwnKey: idempotencyKey !== undefined,
      relayUrl: this.#relayUrl,
      startedAtMs: Date.now(),
      head: described.head,
      sounds: described.sounds.map(({ file, item }) => ({ file, item })),
      totalBytes: sumOfBytes(described.sounds),
    };
    const blobs = described.sounds.map(({ blob }) => blob);
    return this.#locked(kept.id, async () => {
      let keep = wanted ?? false;
      try {
        const by = { token: await this.#token(), isOfPage: wanted === "session" };
        await (await this.#kept()).add(kept, blobs, by);
      } catch (cause) {
        keep = false;
        const sentence =
          "This browser can't keep these sounds. Leave the page open until they are sent.";
        onNotKept?.(new ClientError(sentence, { code: "STORAGE_FORBIDDEN", cause }));
      }
      return this.#send(kept, described, { ...options, keep }, !kept.isOwnKey);
    });
  }

  /**
   * Lists what this pairing has not completely sent, oldest first; without a pairing, what ended ones left. Removes what is
   * older than a day.
   */
  async list(): Promise<readonly Unfinished[]> {
    const by = { relayUrl: this.#relayUrl, token: await this.#token() };
    const all = await this.#kept()
      .then((kept) => kept.list(by, Date.now(), KEPT_FOR_MS))
      .catch(() => []);
    return all.map((one) => this.#unfinished(one));
  }

  #unfinished(kept: KeptPackage): Unfinished {
    const { id, head, sounds, totalBytes, startedAtMs, packageId } = kept;
    return {
      keepId: id,
      title: textOf(head["title"]),
      files: sounds.map(({ file }) => file),
      sounds: sounds.map(({ file, item }, index) => {
        const { sound, name } = soundNameOf(item, file, index + 1);
        return { id: sound, name };
      }),
      totalBytes,
      startedAt: new Date(startedAtMs),
      packageId,
      resume: (options = {}) => this.#locked(id, () => this.#resume(kept, options)),
      forget: () => this.#locked(id, () => this.#forget(kept)),
    };
  }

  async #resume(kept: KeptPackage, options: SendOptions): Promise<SentPackage> {
    const blobs = (await (await this.#kept()).soundsOf(kept.id)) ?? [];
    const sounds = kept.sounds.flatMap((sound, index) => {
      const blob = blobs[index];
      return blob === undefined ? [] : [{ ...sound, blob }];
    });
    if (sounds.length < kept.sounds.length) {
      const sentence = "This package was sent or forgotten in the meantime.";
      throw new ClientError(sentence, { code: "UNFINISHED_GONE" });
    }
    return this.#send(kept, { head: kept.head, sounds }, { ...options, keep: true }, false);
  }

  async #forget({ id, packageId }: KeptPackage): Promise<void> {
    await this.#remove(id);
    if (packageId !== undefined && (await this.#token()) !== "") {
      await this.#deps.calls.withdrawals.withdraw(packageId);
    }
  }

  async #send(
    { id, isOwnKey, manifest, packageId: announcedId }: UnkeptPackage,
    described: DescribedPackage,
    options: SendOptions,
    isNew: boolean,
  ): Promise<SentPackage> {
    // A step that can't be recorded is repeated after a reload.
    const record = (facts: Pick<KeptPackage, "manifest" | "packageId">): Promise<void> =>
      this.#kept()
        .then((kept) => kept.record(id, facts))
        .catch(() => undefined);
    const blobs = new Map(described.sounds.map(({ file, blob }) => [file, blob]));
    const task = {
      key: id,
      isOwnKey,
      isNew,
      packageId: announcedId,
      prepare: async (run: SendRun) => {
        if (manifest !== undefined) return { manifest, sounds: blobs };
        const outgoing = await prepareDescribed(run, described, isNew);
        await record({ manifest: outgoing.manifest });
        return outgoing;
      },
      onAnnounced: (packageId: string) => void record({ packageId }),
    };
    let isOver = true;
    try {
      return await sendPackage(this.#deps, task, options);
    } catch (error) {
      isOver = error instanceof AbortedSend ? error.outcome !== "kept" : isFinal(error);
      // Nobody can resume what is not kept.
      const packageId = error instanceof ClientError ? error.packageId : undefined;
      const isLost = !isOver && !isOwnKey && options.keep === false && packageId !== undefined;
      if (isLost) await this.#deps.calls.withdrawals.withdraw(packageId);
      throw error;
    } finally {
      if (isOver) await this.#remove(id).catch(() => undefined);
    }
  }

  /**
   * Gives a token's packages to another token, or removes them. Never rejects: a browser that stores nothing has none.
   * @param token empty for what ended pairings left
   * @param to empty to leave them for the next pairing; undefined to remove them
   */
  async move(token: string, to?: string): Promise<void> {
    await this.#kept()
      .then((kept) => kept.move({ relayUrl: this.#relayUrl, token }, to))
      .catch(() => undefined);
  }

  /** Loads the database when it is first needed. */
  async #kept(): Promise<KeptPackages> {
    this.#loaded ??= new (await loadKeeping()).KeptPackages();
    return this.#loaded;
  }

  async #remove(id: string): Promise<void> {
    await (await this.#kept()).remove(id);
  }

  async #locked<Result>(id: string, act: () => Promise<Result>): Promise<Result> {
    const end = await this.#kept()
      .then((kept) => kept.lock(id))
      // Without a database, another tab has nothing to resume.
      .catch(() => () => {});
    if (end === undefined) {
      throw new ClientError("Another tab is sending this package.", { code: "SENT_ELSEWHERE" });
    }
    try {
      return await act();
    } finally {
      end();
    }
  }

  /** Returns the token; empty without a pairing. */
  async #token(): Promise<string> {
    return this.#deps.calls.token().catch(() => "");
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
