import type { Translate } from "../../../core/messages/translate.ts";
import { button, draw, h, icon, ICONS, setChildren, setText } from "../dom.ts";
import { choiceOf, type SessionSound, type SoundEdits } from "../../send/session/session-sound.ts";
import { groupOf } from "../../send/session/guess-list.ts";
import type { SessionSounds } from "../../send/session/session-sounds.ts";
import { BPM, isWrong } from "../../send/session/typed-numbers.ts";
import { groupBar } from "./groups.ts";
import { packQuestion } from "./packing.ts";
import { type Section, type SectionDeps, shownItems } from "./section.ts";

/** Shows the sounds to send and the title of their scene. */
export function soundList(deps: SectionDeps, sounds: SessionSounds): Section {
  const { t } = deps;
  const rows = new Map<string, SoundRow>();
  const list = h("ul", { part: "sounds", role: "list", "aria-label": t("page.sounds") });
  const title = h("input", {
    id: "title",
    part: "field",
    autocomplete: "off",
    oninput: () => sounds.setTitle(title.value),
  });
  const label = h("label", { for: "title" }, t("page.sceneTitle"));
  const bars = new Map<string, ReturnType<typeof groupBar>>();
  const groups = h("div", { class: "stack" });
  const packing = packQuestion(deps, sounds);
  const field = h("div", { class: "stack tight" }, label, title);
  const node = h("div", { class: "stack" }, list, groups, field, packing.node);
  return {
    node,
    show: (view) => {
      const { sounds: all, sending, error, suggestion, title: typed } = view;
      node.hidden = all.length === 0 || shownItems(view).length > 0 || sending !== null;
      for (const [id, row] of rows) {
        if (!node.hidden && all.some((sound) => sound.key === id)) continue;
        row.end();
        if (!all.some((sound) => sound.key === id)) rows.delete(id);
      }
      const shown = all.map((sound) => {
        const row = rows.get(sound.key) ?? soundRow(t, sounds, sound);
        rows.set(sound.key, row);
        row.show(sound, error !== null, groupOf(view, sound.key) !== undefined);
        return row.node;
      });
      setChildren(list, shown);
      packing.show(view);
      groups.hidden = view.groups.length === 0;
      const shownBars = view.groups.map((group) => {
        const [key = ""] = group.members;
        const bar = bars.get(key) ?? groupBar(t, sounds, group);
        bars.set(key, bar);
        bar.show(group);
        return bar.node;
      });
      setChildren(groups, shownBars);
      title.placeholder = deps.sceneTitle() || suggestion;
      if (title.value !== (typed ?? "")) title.value = typed ?? "";
    },
  };
}

/** A sound in the list. */
interface SoundRow {
  readonly node: HTMLElement;
  /** @param isGrouped set if it belongs to a recording, whose bar has kind and tempo */
  show(sound: SessionSound, isErrorShown: boolean, isGrouped: boolean): void;
  /** Stops playing the sound. */
  end(): void;
}

/** Shows one sound: plays it, sets its kind and tempo, and removes it. */
function soundRow(t: Translate, sounds: SessionSounds, sound: SessionSound): SoundRow {
  const { name } = choiceOf(sound);
  const { play, preview } = playButton(t, name, sound.source);
  const edit = (edits: SoundEdits): void => sounds.edit(new Set([sound.key]), edits);
  const undecided = h("option", { value: "" }, t("clips.undecided-short"));
  const kind = h(
    "select",
    {
      part: "field",
      "aria-label": `${t("page.kind")}: ${name}`,
      onchange: () => edit({ kind: kind.value === "loop" ? "loop" : "oneshot" }),
    },
    undecided,
    h("option", { value: "loop" }, t("clips.loop")),
    h("option", { value: "oneshot" }, t("clips.one-shot")),
  );
  const bpm = h("input", {
    part: "field",
    inputmode: "decimal",
    autocomplete: "off",
    "aria-label": `${t("send.bpm")}: ${name}`,
    // A length that was guessed or given follows from the tempo now.
    oninput: () => edit({ bpm: bpm.value, lengthBeats: "" }),
  });
  const tempo = h("label", { class: "bpm" }, bpm, t("send.bpm"));
  const remove = squareButton(icon(ICONS.remove), "remove", () => sounds.remove([sound.key]));
  remove.setAttribute("aria-label", t("send.removeSound", { name }));
  const title = h("span", { class: "name" });
  const notes = sound.repairs.map(({ message }) => h("p", { class: "quiet note" }, message));
  const node = h(
    "li",
    { part: "sound", class: "sound" },
    play,
    title,
    kind,
    tempo,
    remove,
    ...notes,
  );
  return {
    node,
    show: (changed, isErrorShown, isGrouped) => {
      const choice = choiceOf(changed);
      setText(title, choice.name);
      kind.value = choice.kind ?? "";
      undecided.hidden = choice.kind !== null;
      kind.setAttribute("aria-invalid", String(isErrorShown && choice.kind === null));
      kind.hidden = isGrouped;
      tempo.hidden = isGrouped || choice.kind !== "loop";
      if (bpm.value !== choice.bpm) bpm.value = choice.bpm;
      bpm.setAttribute("aria-invalid", String(isWrong(choice.bpm, BPM)));
    },
    end: () => preview.stop(),
  };
}

function playButton(t: Translate, name: string, wav: Blob) {
  const shape = icon(ICONS.play);
  const play = squareButton(shape, "play", () => void preview.toggle());
  const preview = new SoundPreview(wav, (isPlaying) => {
    draw(shape, isPlaying ? ICONS.stop : ICONS.play);
    play.setAttribute("aria-label", t(isPlaying ? "clips.stop" : "clips.play", { name }));
  });
  return { play, preview };
}

function squareButton(shape: SVGElement, name: string, act: () => void): HTMLButtonElement {
  const made = button("", act, { class: `plain square ${name}` });
  made.append(shape);
  return made;
}

/** Plays one sound from its file, without decoding it whole. */
class SoundPreview {
  readonly #wav: Blob;
  readonly #onChange: (isPlaying: boolean) => void;
  #audio: HTMLAudioElement | null = null;

  /** @param onChange called at once, and whenever playing starts or stops */
  constructor(wav: Blob, onChange: (isPlaying: boolean) => void) {
    this.#wav = wav;
    this.#onChange = onChange;
    onChange(false);
  }

  /** Starts or stops playing. Never rejects: a sound that can't be played stays silent. */
  async toggle(): Promise<void> {
    if (this.#audio !== null) return this.stop();
    const audio = new Audio(URL.createObjectURL(this.#wav));
    this.#audio = audio;
    audio.addEventListener("ended", () => this.stop());
    audio.addEventListener("error", () => this.stop());
    this.#onChange(true);
    await audio.play().catch(() => this.stop());
  }

  stop(): void {
    const audio = this.#audio;
    if (audio === null) return;
    this.#audio = null;
    audio.pause();
    URL.revokeObjectURL(audio.src);
    this.#onChange(false);
  }
}
