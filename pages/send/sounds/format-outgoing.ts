import { formatNumber } from "../../../core/text/format-number.ts";
import { t } from "../../kit/page-language.ts";
import type { PageView } from "../page-view.ts";
import { choiceOf } from "./choice-of.ts";
import { titleOf, tempoOf } from "./guessed-package.ts";
import { planSound } from "./plan-sound.ts";
import { BPM, numberOf } from "./read-number.ts";

/** What Send does, such as `5 loops at 126 BPM, 5 one-shots → scene Kitchen Kit`. Empty without sounds. */
export function formatOutgoing(view: Pick<PageView, "title" | "bpm" | "sounds">): string {
  const { sounds } = view;
  if (sounds.length === 0) return "";
  const kinds = sounds.map((sound) => choiceOf(sound).kind);
  const countOf = (wanted: "loop" | "oneshot" | null): number =>
    kinds.filter((kind) => kind === wanted).length;
  const oneShots = countOf("oneshot");
  const open = countOf(null);
  const pieces = [
    ...(countOf("loop") === 0 ? [] : [formatLoops(view, countOf("loop"))]),
    ...(oneShots === 0 ? [] : [t("page.oneShots", { count: oneShots })]),
    ...(open === 0 ? [] : [t("page.undecided", { count: open })]),
  ];
  return t("page.outgoing", { sounds: pieces.join(", "), title: titleOf(view) });
}

function formatLoops(view: Pick<PageView, "bpm" | "sounds">, count: number): string {
  const packageBpm = numberOf(tempoOf(view), BPM);
  const tempi = view.sounds.flatMap((sound) => planSound(sound, packageBpm).tempoBpm ?? []);
  if (tempi.length === 0) return t("page.loops", { count });
  const [slowest, fastest] = [Math.min(...tempi), Math.max(...tempi)].map((bpm) =>
    formatNumber(bpm, 2),
  );
  const tempo = slowest === fastest ? slowest : `${slowest}–${fastest}`;
  return t("page.loopsAt", { count, tempo: tempo ?? "" });
}
