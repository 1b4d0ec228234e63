import { groupOf, type SoundGroup } from "../../../client/send/session/guess-list.ts";
import { tempoOf } from "../../../client/send/session/open-questions.ts";
import { seriesOf, titleIn } from "../../../client/send/session/session-packing.ts";
import { choiceOf } from "../../../client/send/session/session-sound.ts";
import type { SessionView } from "../../../client/send/session/session-view.ts";
import { BPM, numberOf } from "../../../client/send/session/typed-numbers.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import { t } from "../../kit/page-language.ts";
import { planSound } from "./plan-sound.ts";

type Outgoing = Pick<
  SessionView,
  "title" | "suggestion" | "bpm" | "sounds" | "groups" | "packAnswer" | "series"
>;

/**
 * Describes the effect of Send, such as `5 loops at 126 BPM, 5 one-shots → scene Kitchen Kit`, or `7 stems of Neon Rain
 * as recorded → scene Neon Rain`. Empty without sounds.
 */
export function formatOutgoing(view: Outgoing): string {
  if (view.sounds.length === 0) return "";
  const sounds = view.sounds.filter(({ key }) => groupOf(view, key) === undefined);
  const kinds = sounds.map((sound) => choiceOf(sound).kind);
  const countOf = (wanted: "loop" | "oneshot" | null): number =>
    kinds.filter((kind) => kind === wanted).length;
  const oneShots = countOf("oneshot");
  const open = countOf(null);
  const pieces = [
    ...view.groups.map(formatGroup),
    ...(countOf("loop") === 0 ? [] : [formatLoops(view, sounds)]),
    ...(oneShots === 0 ? [] : [t("page.oneShots", { count: oneShots })]),
    ...(open === 0 ? [] : [t("page.undecided", { count: open })]),
  ];
  const said = { sounds: pieces.join(", "), title: view.title ?? view.suggestion };
  const series = seriesOf(view, { title: said.title, bpm: undefined });
  if (series === null) return t("page.outgoing", said);
  return series.parts.length === 1
    ? t("page.outgoing", { ...said, title: titleIn(series) })
    : t("page.outgoingScenes", { ...said, title: series.title, all: series.parts.length });
}

function formatGroup({ members, title, bpm }: SoundGroup): string {
  const params = { count: members.length, title };
  return bpm === null
    ? t("page.stemsAsRecorded", params)
    : t("page.stemsInTime", { ...params, tempo: formatNumber(bpm, 2) });
}

function formatLoops(view: Pick<Outgoing, "bpm" | "sounds">, sounds: Outgoing["sounds"]): string {
  const packageBpm = numberOf(tempoOf(view), BPM);
  const tempi = sounds.flatMap((sound) => planSound(sound, packageBpm).tempoBpm ?? []);
  const count = sounds.filter((sound) => choiceOf(sound).kind === "loop").length;
  if (tempi.length === 0) return t("page.loops", { count });
  const [slowest, fastest] = [Math.min(...tempi), Math.max(...tempi)].map((bpm) =>
    formatNumber(bpm, 2),
  );
  const tempo = slowest === fastest ? slowest : `${slowest}–${fastest}`;
  return t("page.loopsAt", { count, tempo: tempo ?? "" });
}
