import type { IdentityEntry, NewIdentityReason } from "../state/identity-entries.ts";
import type { IdentityStore } from "../state/stored-settings.ts";
import type { Credential } from "./http-connection.ts";
import {
  chooseIdentity,
  isSameEntry,
  movedTo,
  withoutSpent,
  RegistrationGuard,
} from "./choose-identity.ts";
import { REAL_TIMERS } from "../timers.ts";
import { DiskError, orDiskError } from "../disk/disk-error.ts";
import { RelayUnreachableError } from "../../core/importer/relay-errors.ts";
import { QuestionGoneError } from "./relay-errors.ts";

export interface RelayIdentityDeps {
  /** The relay's address, normalized by `parseRelayUrl`. */
  readonly relayUrl: string;
  readonly store: IdentityStore;
  readonly deviceName: string;
  /** Asks without a token which relay answers. */
  readonly hello: () => Promise<{ readonly instance?: string | undefined }>;
  /** Requests a new identity from the relay (rule P1). */
  readonly register: (
    deviceName: string,
    instance: string | undefined,
  ) => Promise<{ deviceId: string; importerToken: string }>;
  /** Set while this process runs the relay, so that nobody needs to say whether it moved. */
  readonly isOwnRelay?: boolean | undefined;
  /** Called when another identity is in use, or `question` or `newBecause` may have changed. */
  readonly onChange: (change: { readonly isOther: boolean }) => void;
  /** Returns milliseconds on a clock that is never set back; Node's by default. */
  readonly now?: (() => number) | undefined;
}

/**
 * The identity at one relay's address, read from the store or registered on first use (rule P9). The relay that answers
 * decides which one: it is asked before the first token, and again after `doubt`. Identities of other relays
 * and refused ones stay in the store.
 */
export class RelayIdentity {
  readonly #deps: RelayIdentityDeps;
  /** Refused tokens, which are not tried again for now. */
  readonly #refused = new Set<string>();
  /** Tokens that no relay has accepted since they were registered. */
  readonly #fresh = new Set<string>();
  readonly #guard: RegistrationGuard;
  #instance: string | undefined;
  #used: IdentityEntry | undefined;
  #movedFrom: IdentityEntry | undefined;
  #doubts = 1;
  /** Value of `#doubts` when the relay was last asked which one it is. */
  #settledDoubts = 0;
  #opening: Promise<Credential> | undefined;

  constructor(deps: RelayIdentityDeps) {
    this.#deps = deps;
    this.#guard = new RegistrationGuard(deps.now ?? (() => REAL_TIMERS.now()));
    this.#used = deps.store.identities().find(({ relayUrl }) => relayUrl === deps.relayUrl);
  }

  get relayUrl(): string {
    return this.#deps.relayUrl;
  }

  /** The name at the relay, or the one to register with. */
  get deviceName(): string {
    return this.#used?.deviceName ?? this.#deps.deviceName;
  }

  /** The key of the identity in use: the address that its token was registered at, and the device there. */
  get key(): IdentityKey | undefined {
    return this.#used && keyOf(this.#used);
  }

  /** The address at which this relay was known, until a person has said whether it moved. */
  get movedFrom(): string | null {
    return this.#movedFrom?.relayUrl ?? null;
  }

  /** The reason why the identity in use is new here, until an app is paired with it. */
  get newBecause(): NewIdentityReason | null {
    return this.#used?.madeBecause ?? null;
  }

  /**
   * Returns the token for the relay that answers, with its instance, and registers first where needed; concurrent
   * callers share that.
   * @throws {RelayUnreachableError} while a person has to say whether the relay moved
   * @throws {DiskError | SettingsError} when it can't be stored, or the stored ones can't be read
   */
  async credential(): Promise<Credential> {
    const isSettled = this.#settledDoubts === this.#doubts;
    if (isSettled && this.#used !== undefined) {
      return { token: this.#used.importerToken, instance: this.#instance };
    }
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Makes the next call ask first, because another relay may answer from now on. */
  doubt(): void {
    this.#doubts += 1;
  }

  /** Makes the next call ask first after the relay was away; refused tokens may be valid again. */
  startOver(): void {
    this.#forgetRefusals();
    this.doubt();
  }

  /**
   * Sets an identity aside whose token got a 401.
   * @param error the 401
   * @returns whether the call may be repeated with the next `credential`: not after a fresh token, or it would never end
   */
  refuse(importerToken: string, error: unknown): boolean {
    const isFresh = this.#fresh.has(importerToken);
    this.#refused.add(importerToken);
    if (isFresh) this.#guard.noteRefused(error);
    if (this.#used?.importerToken === importerToken) this.doubt();
    this.#change(importerToken, (entry) => ({ ...entry, isRefused: true }));
    return !isFresh;
  }

  /** Records that the relay accepted a token, which thereby belongs to its instance. */
  accept(importerToken: string): void {
    const used = this.#used;
    if (used?.importerToken !== importerToken) return;
    this.#fresh.delete(importerToken);
    const isOfNone = used.instance === undefined && this.#instance !== undefined;
    if (used.isRefused !== true && !isOfNone) return;
    const instance = used.instance ?? this.#instance;
    this.#change(importerToken, (entry) => {
      const { isRefused: _, ...accepted } = entry;
      return { ...accepted, ...(instance !== undefined && { instance }) };
    });
  }

  /** Records that an app is paired. */
  notePaired(): void {
    if (this.#used?.madeBecause === undefined) return;
    this.#change(this.#used.importerToken, (entry) => {
      const { madeBecause: _, ...paired } = entry;
      return paired;
    });
    this.#deps.onChange({ isOther: false });
  }

  /** Stores the name after a rename at the relay. */
  noteName(deviceName: string): void {
    if (this.#used === undefined) return;
    this.#change(this.#used.importerToken, (entry) => ({ ...entry, deviceName }));
  }

  /**
   * Answers whether the relay moved here.
   * @throws {QuestionGoneError} when that isn't asked, or not about this address
   * @throws {RelayUnreachableError} when it doesn't answer, or another one does: then the question is void
   */
  async answerMoved({ isSame, movedFrom: address }: MovedAnswer): Promise<void> {
    const { relayUrl, hello, onChange } = this.#deps;
    const movedFrom = this.#movedFrom;
    if (movedFrom?.relayUrl !== address) throw new QuestionGoneError();
    const { instance } = await hello();
    // Another question may have come meanwhile.
    if (this.#movedFrom === undefined || !isSameEntry(this.#movedFrom, movedFrom))
      throw new QuestionGoneError();
    this.#movedFrom = undefined;
    if (instance !== movedFrom.instance) {
      onChange({ isOther: false });
      throw new RelayUnreachableError(`Another relay answers at ${relayUrl} now.`);
    }
    this.#use(isSame ? movedTo(movedFrom, relayUrl) : await this.#register(undefined));
  }

  /** Asks which relay answers, and uses its identity. */
  async #open(): Promise<Credential> {
    const { relayUrl, hello, isOwnRelay = false } = this.#deps;
    const doubts = this.#doubts;
    const { instance } = await hello();
    if (instance !== this.#instance) this.#forgetRefusals();
    this.#instance = instance;
    const isRefusedNow = (entry: IdentityEntry) => this.#refused.has(entry.importerToken);
    const choice = chooseIdentity(this.#entries(), { relayUrl, instance }, isRefusedNow);
    if ("movedFrom" in choice && !isOwnRelay) throw this.#ask(choice.movedFrom);
    this.#movedFrom = undefined;
    if ("because" in choice) this.#guard.assertMayRegister(relayUrl, choice.because);
    const entry = this.#use(
      "use" in choice
        ? choice.use
        : "movedFrom" in choice
          ? movedTo(choice.movedFrom, relayUrl)
          : await this.#register(choice.because),
    );
    this.#settledDoubts = doubts;
    return { token: entry.importerToken, instance };
  }

  #forgetRefusals(): void {
    this.#refused.clear();
    this.#guard.forgetRefusal();
  }

  #ask(movedFrom: IdentityEntry): RelayUnreachableError {
    const before = this.#movedFrom;
    this.#movedFrom = movedFrom;
    if (before === undefined || !isSameEntry(before, movedFrom))
      this.#deps.onChange({ isOther: false });
    const { relayUrl } = this.#deps;
    return new RelayUnreachableError(
      `Is the relay at ${relayUrl} the one that was at ${movedFrom.relayUrl}? Answer in the panel.`,
    );
  }

  async #register(because: NewIdentityReason | undefined): Promise<IdentityEntry> {
    const { deviceName, relayUrl } = this.#deps;
    const instance = this.#instance;
    const made = await this.#deps.register(deviceName, instance);
    this.#fresh.add(made.importerToken);
    return {
      ...made,
      deviceName,
      relayUrl,
      ...(instance !== undefined && { instance }),
      ...(because !== undefined && { madeBecause: because }),
    };
  }

  /** Puts an identity in front of the others of its address. One that can't be stored now is stored by the next call. */
  #use(entry: IdentityEntry): IdentityEntry {
    const isOther = this.#used !== undefined && !isSameEntry(this.#used, entry);
    const entries = this.#entries();
    const first = this.#stored().find(({ relayUrl }) => relayUrl === entry.relayUrl);
    this.#used = entry;
    this.#deps.onChange({ isOther });
    if (first === undefined || !isSameEntry(first, entry)) {
      this.#store([entry, ...withoutSpent(entries, entry)]);
    }
    return entry;
  }

  /** Stores what the relay has said about an identity. A full disk fails no call, because the relay says it again. */
  #change(importerToken: string, change: (entry: IdentityEntry) => IdentityEntry): void {
    const { relayUrl } = this.#deps;
    const changeIt = (entry: IdentityEntry): IdentityEntry =>
      entry.relayUrl === relayUrl && entry.importerToken === importerToken ? change(entry) : entry;
    try {
      this.#store(this.#entries().map(changeIt));
    } catch (error) {
      if (error instanceof DiskError) return;
      throw error;
    }
    if (this.#used !== undefined) this.#used = changeIt(this.#used);
  }

  /** Returns the stored identities and the one in use, even if somebody has removed or changed the file. */
  #entries(): readonly IdentityEntry[] {
    const entries = this.#stored();
    const used = this.#used;
    return used === undefined || entries.some((one) => isSameEntry(one, used))
      ? entries
      : [used, ...entries];
  }

  #stored(): readonly IdentityEntry[] {
    return orDiskError(() => this.#deps.store.identities());
  }

  #store(entries: readonly IdentityEntry[]): void {
    orDiskError(() => this.#deps.store.storeIdentities(entries));
  }
}

/** A person's answer about a relay at a new address. */
export interface MovedAnswer {
  /** True if the relay is the one that was at `movedFrom`. */
  readonly isSame: boolean;
  /** The address that the person was asked about. */
  readonly movedFrom: string;
}

export interface IdentityKey {
  /** The address that the token was registered at. */
  readonly relayUrl: string;
  readonly deviceId: string;
}

function keyOf({ relayUrl, registeredAt, deviceId }: IdentityEntry): IdentityKey {
  return { relayUrl: registeredAt ?? relayUrl, deviceId };
}
