import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { formatNumber } from "../../../core/text/format-number.ts";
import { t } from "../../kit/page-language.ts";
import { usePage } from "../page-context.ts";
import type { PageView } from "../page-view.ts";
import { choiceOf, type PageSound } from "./page-sound.ts";
import { questionsOf } from "./sound-row.ts";
import { BPM, readNumber } from "./read-number.ts";

/**
 * The decisions that Send needs, for all sounds at once. The bar keeps its room without a question. The answers to the
 * second question are where the text of the first one was, so that a double click answers only one.
 */
export function QuestionBar({ view }: { readonly view: PageView }): VNode {
  const { kind, tempo } = questionsOf(view);
  const isAsking = view.sending === null && view.shown === null;
  return (
    <div class="question-bar">
      {isAsking && kind.length > 0 && <KindQuestion undecided={kind} />}
      {isAsking && kind.length === 0 && tempo.length > 0 && <TempoQuestion loops={tempo} />}
    </div>
  );
}

function KindQuestion({ undecided }: { readonly undecided: readonly PageSound[] }): VNode {
  const { sounds } = usePage();
  const id = useId();
  const count = undecided.length;
  return (
    <div class="question kind" role="group" aria-labelledby={id}>
      <p id={id}>{t("page.askKind", { count, names: namesOf(undecided) })}</p>
      <button type="button" id="question" onClick={() => sounds.answer("kind", { kind: "loop" })}>
        {t("page.answerLoops")}
      </button>
      <button type="button" onClick={() => sounds.answer("kind", { kind: "oneshot" })}>
        {t("page.answerOneShots")}
      </button>
      <SelectThem sounds={undecided} />
    </div>
  );
}

function TempoQuestion({ loops }: { readonly loops: readonly PageSound[] }): VNode {
  const { sounds } = usePage();
  const [typed, setTyped] = useState("");
  const id = useId();
  const read = readNumber(typed, BPM);
  const error = typeof read === "string" ? read : undefined;
  const likely = loops.flatMap(({ guess }) => guess.likely ?? []);
  const takesLikely = typed.trim() === "" && likely.length > 0;
  const answer = (event: Event): void => {
    event.preventDefault();
    if (takesLikely) return sounds.answerLikelyTempo();
    if (typeof read !== "number") return document.getElementById("question")?.focus();
    setTyped("");
    sounds.answer("tempo", { bpm: typed });
  };
  return (
    <form class="question tempo" aria-labelledby={id} onSubmit={answer}>
      <p id={id} class={error === undefined ? "" : "error"}>
        {error ?? t("page.askTempo", { count: loops.length, names: namesOf(loops) })}
      </p>
      <input
        id="question"
        class="number"
        inputMode="decimal"
        autocomplete="off"
        maxLength={12}
        value={typed}
        aria-label={t("page.tempoBpm")}
        aria-invalid={error !== undefined}
        placeholder={likely.length === 1 ? formatNumber(likely[0]?.bpm ?? 0, 1) : t("clips.bpm")}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" class="either">
        <EitherWords words={t("page.likelyTempo")} isSaid={takesLikely} />
        <EitherWords words={t("page.setTempo")} isSaid={!takesLikely} />
      </button>
      <button type="button" onClick={() => sounds.answer("tempo", { isTempoOpen: true })}>
        {t("page.withoutTempo")}
      </button>
      <SelectThem sounds={loops} />
    </form>
  );
}

/** One of two texts of a button that keeps the room of both. */
function EitherWords({
  words,
  isSaid,
}: {
  readonly words: string;
  readonly isSaid: boolean;
}): VNode {
  return (
    <span class={isSaid ? "" : "unsaid"} aria-hidden={!isSaid}>
      {words}
    </span>
  );
}

/** Selects the sounds in question, to hear them or to decide each. */
function SelectThem({ sounds }: { readonly sounds: readonly PageSound[] }): VNode {
  const { sounds: actions } = usePage();
  const keys = sounds.map(({ key }) => key);
  const select = (): void => actions.select({ keys: new Set(keys), active: keys[0] ?? null });
  return (
    <button type="button" class="plain select-them" onClick={select}>
      {t("page.selectThem", { count: keys.length })}
    </button>
  );
}

/** Formats the first two names, and the number of others. */
function namesOf(sounds: readonly PageSound[]): string {
  const names = sounds.slice(0, 2).map((sound) => choiceOf(sound).name);
  const more = sounds.length - names.length;
  return more === 0 ? names.join(", ") : t("page.andMore", { names: names.join(", "), more });
}
