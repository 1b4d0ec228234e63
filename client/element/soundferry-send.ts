import { ENGLISH, type Messages } from "../../core/messages/en/english.ts";
import { chooseLanguage, type Language } from "../../core/messages/languages.ts";
import { inEnglish, type Translate } from "../../core/messages/translate.ts";
import { parsePairingCode } from "../../core/protocol/pairing-code.ts";
import { ViewStore } from "../../core/view-store.ts";
import { LocalStoragePairings, localAppId } from "../pairing/local-storage.ts";
import { readCodeInAddress } from "../pairing/pairing-link.ts";
import { Pairings } from "../pairing/pairings.ts";
import { SendSession } from "../send/session/send-session.ts";
import type { GivenSound } from "../send/session/session-sound.ts";
import {
  FIRST_VIEW,
  type SessionDeps,
  type SessionEvents,
  type SessionSettings,
  type SessionView,
} from "../send/session/session-view.ts";
import { BPM, numberOf } from "../send/session/typed-numbers.ts";
import { fillRoot } from "./element-root.ts";
import { shownItems, type SoundsPart } from "./sections/section.ts";
import { loadLanguage, type ElementTexts, textsOf } from "./texts.ts";

const ATTRIBUTES = ["relay", "app", "app-id", "scene-title", "bpm", "sources", "lang", "keep"];

/** `Object` on a server, which has no elements but may import this module. */
const Base = globalThis.HTMLElement ?? Object;

/**
 * `<soundferry-send relay="https://relay.example" app="Looper">`: pairs with a computer, takes sounds, sends them,
 * and shows the result of each. Its attributes:
 * - `relay`: the relay's address
 * - `app`: the app's name, at most 40 characters; default: the page's title
 * - `app-id`: identifies this installation; default: a generated one that `localStorage` keeps
 * - `scene-title`: default: guessed from the sounds' names
 * - `bpm`: the tempo of loops without one of their own
 * - `keep`: `session` for computers of others: sounds stay in memory, and pairing and generated id end with the tab
 * - `sources`: how a person may add sounds, `files record` by default; empty for none
 */
export class SoundferrySend extends Base {
  static readonly observedAttributes = ATTRIBUTES;

  readonly #store = new ViewStore<SessionView>(FIRST_VIEW);
  readonly #root = this.attachShadow({ mode: "open", delegatesFocus: true });
  #translate: Translate = inEnglish;
  #language: Language = "en";
  #table: Messages = ENGLISH;
  #texts: ElementTexts = {};
  #given: readonly GivenSound[] = [];
  #end: (() => void) | null = null;
  readonly #deps: SessionDeps = {
    store: this.#store,
    settings: () => this.#settings(),
    pairings: new Pairings(new LocalStoragePairings(undefined, () => this.#storage())),
    appId: () => this.getAttribute("app-id") || localAppId(undefined, () => this.#storage()),
    t: (key, ...params) => this.#translate(key, ...params),
    emit: (name, detail) => this.#emit(name, detail),
  };
  readonly #session = new SendSession(this.#deps, () => this.#part?.sounds.outgoing() ?? null);
  /** null until there is a sound. */
  #part: SoundsPart | null = null;
  #opening: Promise<SoundsPart> | null = null;

  /** The sounds that the app set last. Setting them replaces all listed sounds. */
  get sounds(): readonly GivenSound[] {
    return this.#given;
  }

  set sounds(sounds: readonly GivenSound[]) {
    this.#given = [...sounds];
    if (sounds.length > 0) this.#makeRoom();
    void this.#withSounds((part) => part.sounds.replace(this.#given));
  }

  /** The app's own texts, which replace the element's. */
  get texts(): ElementTexts {
    return this.#texts;
  }

  set texts(texts: ElementTexts) {
    this.#texts = { ...texts };
    if (this.#end !== null) this.#fill();
  }

  /** Adds sounds to the list. Resolves once they are read; the element shows which can't be sent. */
  async add(...sounds: readonly GivenSound[]): Promise<void> {
    if (sounds.length > 0) this.#makeRoom();
    await this.#withSounds((part) => part.sounds.add(sounds));
  }

  /** Sends the sounds, as the button does. Resolves once the package is sent; events report the outcome. */
  async send(): Promise<void> {
    await this.#session.sending.send();
  }

  connectedCallback(): void {
    void this.#begin();
  }

  /** Leaves the page. A running send continues to its end. */
  disconnectedCallback(): void {
    this.#end?.();
    this.#end = null;
    this.#part?.recording.cancel();
    this.#session.sent.end();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || this.#end === null) return;
    if (/relay|lang|keep/.test(name)) void this.#begin();
    else this.#fill();
  }

  async #begin(): Promise<void> {
    const own = this.closest("[lang]")?.getAttribute("lang") ?? "";
    this.#language = chooseLanguage(own === "" ? navigator.languages : [own]);
    this.#table = await loadLanguage(this.#language);
    // The element may have left the page meanwhile.
    if (!this.isConnected) return;
    this.#fill();
    await this.#session.begin(takeCode());
  }

  /** Puts away what was sent. */
  #makeRoom(): void {
    for (const item of shownItems(this.#store.view)) this.#session.sent.dismiss(item);
  }

  /** Loads the part that handles sounds. Never rejects. */
  async #withSounds(act: (part: SoundsPart) => Promise<void>): Promise<void> {
    this.#store.change({ reading: this.#store.view.reading + 1 });
    try {
      this.#opening ??= import("./sounds-part.ts").then(({ openSounds }) => openSounds(this.#deps));
      this.#part = await this.#opening;
      this.#setTexts();
    } catch (error) {
      this.#opening = null;
      return this.#session.pairing.fail(error);
    } finally {
      this.#store.change({ reading: this.#store.view.reading - 1 });
    }
    await act(this.#part);
  }

  #setTexts(): void {
    // Texts of the part that handles sounds come with it.
    const table = { ...this.#part?.texts, ...this.#table };
    this.#translate = textsOf(this.#language, table, this.#texts);
  }

  #fill(): void {
    this.#end?.();
    this.#setTexts();
    this.#end = fillRoot(this.#root, this.#store, {
      t: this.#deps.t,
      session: this.#session,
      relayUrl: this.#settings().relayUrl,
      add: (sounds) => this.add(...sounds),
      record: () => {
        this.#makeRoom();
        void this.#withSounds((part) => part.recording.toggle());
      },
      part: () => this.#part,
      sources: () => new Set((this.getAttribute("sources") ?? "files record").match(/\w+/g)),
      sceneTitle: () => this.getAttribute("scene-title") ?? "",
    });
  }

  #settings(): SessionSettings {
    const text = (name: string): string | undefined => this.getAttribute(name) || undefined;
    return {
      relayUrl: text("relay") ?? "",
      appName: text("app") ?? (document.title || location.hostname),
      sceneTitle: text("scene-title"),
      bpm: numberOf(text("bpm") ?? "", BPM),
      asksTempo: false,
      keep: this.#isOfSession ? "session" : true,
    };
  }

  get #isOfSession(): boolean {
    return this.getAttribute("keep") === "session";
  }

  #storage(): Storage {
    return this.#isOfSession ? sessionStorage : localStorage;
  }

  #emit<Name extends keyof SessionEvents>(name: Name, detail: SessionEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/**
 * Removes a pairing code from the page's address, so that it stays out of the history and is not shared by accident.
 * Leaves a code of another kind, which is the app's own.
 */
function takeCode(): string | null {
  const code = parsePairingCode(readCodeInAddress(location.hash) ?? "") ?? null;
  if (code !== null) history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}
