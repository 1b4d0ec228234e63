import type { VNode } from "preact";
import { t } from "../../../kit/text.tsx";
import { ColorPicker } from "../../../kit/clip-list/color-picker.tsx";
import { usePage } from "../../page-context.ts";
import { choiceOf } from "../choice-of.ts";
import type { PageSound } from "../page-sound.ts";
import { sharedOf } from "./shared-of.ts";

/** The colour of one or more sounds: one of Live's, or automatic. */
export function ColorField({ selected }: { readonly selected: readonly PageSound[] }): VNode {
  const { sounds } = usePage();
  const keys = new Set(selected.map(({ key }) => key));
  return (
    <ColorPicker
      label={t("page.color")}
      color={sharedOf(selected.map(choiceOf), "color")}
      onPick={(color) => sounds.edit(keys, { color })}
    />
  );
}
