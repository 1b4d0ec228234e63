import { h, setChildren } from "../dom.ts";
import type { Section, SectionDeps } from "./section.ts";
import { type SoundRow, soundRow } from "./sound-row.ts";

/** The sounds to send, and the title of their scene. */
export function soundList(deps: SectionDeps): Section {
  const { t, sounds } = deps;
  const rows = new Map<string, SoundRow>();
  const list = h("ul", { part: "sounds", role: "list", "aria-label": t("page.sounds") });
  const title = h("input", {
    id: "title",
    part: "field",
    autocomplete: "off",
    oninput: () => sounds.nameTitle(title.value),
  });
  const label = h("label", { for: "title" }, t("page.sceneTitle"));
  const node = h("div", { class: "stack" }, list, h("div", { class: "stack tight" }, label, title));
  return {
    node,
    show: ({ sounds: all, sent, sending, errors, suggestion, title: typed }) => {
      node.hidden = all.length === 0 || sent !== null || sending !== null;
      for (const [id, row] of rows) {
        if (!node.hidden && all.some((sound) => sound.id === id)) continue;
        row.end();
        if (!all.some((sound) => sound.id === id)) rows.delete(id);
      }
      const shown = all.map((sound) => {
        const row = rows.get(sound.id) ?? soundRow(deps, sound);
        rows.set(sound.id, row);
        row.show(sound, errors.length > 0);
        return row.node;
      });
      setChildren(list, shown);
      title.placeholder = deps.sceneTitle() || suggestion;
      if (title.value !== (typed ?? "")) title.value = typed ?? "";
    },
  };
}
