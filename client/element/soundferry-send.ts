import { ENGLISH, type Messages } from "../../core/messages/en/english.ts";
import { chooseLanguage, type Language } from "../../core/messages/languages.ts";
import { inEnglish, type Translate } from "../../core/messages/translate.ts";
import { parsePairingCode } from "../../core/protocol/pairing-code.ts";
import { ViewStore } from "../../core/view-store.ts";
import { LocalStoragePairings, localAppId } from "../pairing/local-storage.ts";
import { readCodeInAddress } from "../pairing/pairing-link.ts";
import { Pairings } from "../pairing/pairings.ts";
import { fillRoot } from "./element-root.ts";
import {
  type ElementDeps,
  type ElementEvents,
  type ElementSettings,
  FIRST_VIEW,
} from "./element-view.ts";
import { type ElementSound, tempoOf } from "./listed-sound.ts";
import { loadLanguage, type ElementTexts, textsOf } from "./texts.ts";
import { PairingActions } from "./pairing-actions.ts";
import { RecordActions } from "./record-actions.ts";
import { SendActions } from "./send-actions.ts";
import { SoundActions } from "./sound-actions.ts";

const ATTRIBUTES = ["relay", "app", "app-id", "scene-title", "bpm", "sources", "lang"];

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
 * - `sources`: how a person may add sounds, `files record` by default; empty for none
 */
export class SoundferrySend extends Base {
  static readonly observedAttributes = ATTRIBUTES;

  readonly #store = new ViewStore(FIRST_VIEW);
  readonly #root = this.attachShadow({ mode: "open", delegatesFocus: true });
  #translate: Translate = inEnglish;
  #language: Language = "en";
  #table: Messages = ENGLISH;
  #texts: ElementTexts = {};
  #given: readonly ElementSound[] = [];
  #end: (() => void) | null = null;

  readonly #deps: ElementDeps = {
    store: this.#store,
    settings: () => this.#settings(),
    pairings: () => this.#pairings(),
    t: (key, ...params) => this.#translate(key, ...params),
    emit: (name, detail) => this.#emit(name, detail),
  };
  readonly #pairing = new PairingActions(this.#deps);
  readonly #sounds = new SoundActions(this.#deps);
  readonly #recording = new RecordActions(this.#deps, this.#sounds);
  readonly #sending = new SendActions(this.#deps, this.#pairing);

  /** The sounds that the app set last. Setting them replaces all listed sounds. */
  get sounds(): readonly ElementSound[] {
    return this.#given;
  }

  set sounds(sounds: readonly ElementSound[]) {
    this.#given = [...sounds];
    void this.#sounds.replace(this.#given);
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
  async add(...sounds: readonly ElementSound[]): Promise<void> {
    await this.#sounds.add(sounds);
  }

  /** Sends the sounds, as the button does. Resolves once the package is sent; events report the outcome. */
  async send(): Promise<void> {
    await this.#sending.send();
  }

  connectedCallback(): void {
    void this.#begin();
  }

  /** Leaves the page. A running send continues to its end. */
  disconnectedCallback(): void {
    this.#end?.();
    this.#end = null;
    this.#recording.cancel();
    this.#sending.end();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || this.#end === null) return;
    if (name === "relay" || name === "lang") void this.#begin();
    else this.#fill();
  }

  async #begin(): Promise<void> {
    const own = this.closest("[lang]")?.getAttribute("lang") ?? "";
    this.#language = chooseLanguage(own === "" ? navigator.languages : [own]);
    this.#table = await loadLanguage(this.#language);
    // The element may have left the page meanwhile.
    if (!this.isConnected) return;
    this.#fill();
    const code = takeCode();
    await this.#pairing.read();
    if (code !== null) this.#pairing.ask(code);
    this.#sending.begin();
    await this.#sending.findUnfinished();
  }

  #fill(): void {
    this.#end?.();
    this.#translate = textsOf(this.#language, this.#table, this.#texts);
    this.#end = fillRoot(this.#root, this.#store, {
      t: this.#deps.t,
      pairing: this.#pairing,
      sounds: this.#sounds,
      recording: this.#recording,
      sending: this.#sending,
      sources: () => new Set((this.getAttribute("sources") ?? "files record").match(/\w+/g)),
      sceneTitle: () => this.getAttribute("scene-title") ?? "",
    });
  }

  #settings(): ElementSettings {
    const text = (name: string): string | undefined => this.getAttribute(name) || undefined;
    return {
      relayUrl: text("relay") ?? "",
      appName: text("app") ?? (document.title || location.hostname),
      appId: text("app-id"),
      sceneTitle: text("scene-title"),
      bpm: tempoOf(text("bpm") ?? ""),
    };
  }

  #pairings(): Pairings {
    const { appName: name, appId = localAppId() } = this.#settings();
    return new Pairings(new LocalStoragePairings(), { app: { name, id: appId } });
  }

  #emit<Name extends keyof ElementEvents>(name: Name, detail: ElementEvents[Name]): void {
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
