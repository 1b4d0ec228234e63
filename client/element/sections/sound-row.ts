import type { Translate } from "../../../core/messages/translate.ts";
import { button, draw, h, icon, ICONS, setText } from "../dom.ts";
import { type ListedSound, tempoOf } from "../listed-sound.ts";
import { SoundPreview } from "../sound-preview.ts";
import type { SectionDeps } from "./section.ts";

/** A sound in the list. */
export interface SoundRow {
  readonly node: HTMLElement;
  show(sound: ListedSound, areErrorsShown: boolean): void;
  /** Stops playing it. */
  end(): void;
}

/** One sound: plays it, says whether it is a loop, its tempo, and removes it. */
export function soundRow({ t, sounds }: SectionDeps, { id, name, wav }: ListedSound): SoundRow {
  const { play, preview } = playButton(t, name, wav);
  const undecided = h("option", { value: "" }, t("clips.undecided-short"));
  const kind = h(
    "select",
    {
      part: "field",
      "aria-label": `${t("page.kind")}: ${name}`,
      onchange: () => sounds.edit(id, { kind: kind.value === "loop" ? "loop" : "oneshot" }),
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
    oninput: () => sounds.setBpm(id, bpm.value),
  });
  const tempo = h("label", { class: "bpm" }, bpm, t("send.bpm"));
  const remove = squareButton(icon(ICONS.remove), "remove", () => sounds.remove(id));
  remove.setAttribute("aria-label", t("send.removeSound", { name }));
  const title = h("span", { class: "name" });
  const node = h("li", { part: "sound", class: "sound" }, play, title, kind, tempo, remove);
  return {
    node,
    show: (sound, areErrorsShown) => {
      setText(title, sound.name);
      kind.value = sound.kind ?? "";
      undecided.hidden = sound.kind !== null;
      kind.setAttribute("aria-invalid", String(areErrorsShown && sound.kind === null));
      tempo.hidden = sound.kind !== "loop";
      if (bpm.value !== sound.bpm) bpm.value = sound.bpm;
      bpm.setAttribute(
        "aria-invalid",
        String(sound.bpm !== "" && tempoOf(sound.bpm) === undefined),
      );
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
