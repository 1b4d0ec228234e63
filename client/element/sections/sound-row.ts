import { draw, h, icon, ICONS, setText } from "../dom.ts";
import type { ListedSound } from "../listed-sound.ts";
import { SoundPreview } from "../sound-preview.ts";
import { tempoOf } from "../listed-sound.ts";
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
  const shape = icon(ICONS.play);
  const play = h(
    "button",
    {
      part: "button",
      class: "plain square play",
      type: "button",
      onclick: () => void preview.toggle(),
    },
    shape,
  );
  const preview = new SoundPreview(wav, (isPlaying) => {
    draw(shape, isPlaying ? ICONS.stop : ICONS.play);
    play.setAttribute("aria-label", t(isPlaying ? "clips.stop" : "clips.play", { name }));
  });
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
    class: "bpm",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: t("send.bpm"),
    "aria-label": `${t("send.bpm")}: ${name}`,
    oninput: () => sounds.setBpm(id, bpm.value),
  });
  const remove = h(
    "button",
    {
      part: "button",
      class: "plain square remove",
      type: "button",
      "aria-label": t("send.removeSound", { name }),
      onclick: () => sounds.remove(id),
    },
    icon(ICONS.remove),
  );
  const title = h("span", { class: "name" });
  const node = h("li", { part: "sound", class: "sound" }, play, title, kind, bpm, remove);
  return {
    node,
    show: (sound, areErrorsShown) => {
      setText(title, sound.name);
      kind.value = sound.kind ?? "";
      undecided.hidden = sound.kind !== null;
      kind.setAttribute("aria-invalid", String(areErrorsShown && sound.kind === null));
      bpm.hidden = sound.kind !== "loop";
      if (bpm.value !== sound.bpm) bpm.value = sound.bpm;
      bpm.setAttribute(
        "aria-invalid",
        String(sound.bpm !== "" && tempoOf(sound.bpm) === undefined),
      );
    },
    end: () => preview.stop(),
  };
}
