import type { VNode } from "preact";
import { t } from "../../../../web/text.tsx";
import { ColorPicker } from "../../../../web/clip-list/color-picker.tsx";
import { usePage } from "../../page-context.ts";
import { choiceOf } from "../choice-of.ts";
import type { PageSound } from "../page-sound.ts";

/** The colour of one or more sounds: one of Live's, or automatic. */
export function ColorField({ selected }: { readonly selected: readonly PageSound[] }): VNode {
  const { sounds } = usePage();
  const colors = selected.map((sound) => choiceOf(sound).color);
  const [first] = colors;
  const keys = new Set(selected.map(({ key }) => key));
  return (
    <ColorPicker
      label={t("page.color")}
      color={colors.every((color) => color === first) ? first : undefined}
      onPick={(color) => sounds.edit(keys, { color })}
    />
  );
}
