import type { VNode } from "preact";
import { useId, useState } from "preact/hooks";
import { formatNumber } from "../../../core/text/format-number.ts";
import { t } from "../../kit/page-language.ts";
import type { UnfinishedItem } from "../../../client/send/session/session-view.ts";
import { usePage } from "../page-context.ts";
import { focusSoon } from "../parts.tsx";
import type { PageView } from "../page-view.ts";
import { type Questions, questionsOf } from "../../../client/send/session/open-questions.ts";
import { asksPacking } from "../../../client/send/session/session-packing.ts";
import { PackQuestion } from "./pack-question.tsx";
import { choiceOf, type SessionSound } from "../../../client/send/session/session-sound.ts";
import { BPM, isWrong, numberOf } from "../../../client/send/session/typed-numbers.ts";

/**
 * The decisions that Send needs, for all sounds at once. The bar keeps its room without a question. The answers to the
 * second question are where the text of the first one was, so that a double click answers only one.
 */
export function QuestionBar({ view }: { readonly view: PageView }): VNode {
  // A file that is still to come may belong to a recording with these, which are no question then.
  const { kind, tempo } = view.reading > 0 ? NO_QUESTIONS : questionsOf(view);
  const isAsking = view.sending === null && view.shown === null;
  return (
    <div class="question-bar">
      {isAsking && (
        <Question kind={kind} tempo={tempo} unfinished={view.unfinished[0]} view={view} />
      )}
    </div>
  );
}

const NO_QUESTIONS: Questions = { kind: [], tempo: [] };

interface QuestionProps extends Questions {
  readonly view: PageView;
  readonly unfinished: UnfinishedItem | undefined;
}

/** The first open question: a package that an earlier visit did not finish comes before the new one's. */
function Question({ unfinished, kind, tempo, view }: QuestionProps): VNode | null {
  if (unfinished !== undefined) return <UnfinishedQuestion item={unfinished} />;
  if (kind.length > 0) return <KindQuestion undecided={kind} />;
  if (tempo.length > 0) return <TempoQuestion loops={tempo} />;
  return asksPacking(view) ? <PackQuestion view={view} /> : null;
}

function UnfinishedQuestion({ item }: { readonly item: UnfinishedItem }): VNode {
  const { session, actions } = usePage();
  const id = useId();
  const resume = async (): Promise<void> => {
    focusSoon("sending");
    const packageId = await session.sending.resume(item);
    if (packageId === null) return focusSoon("send");
    actions.show(packageId);
    focusSoon("sent-title");
  };
  const discard = async (): Promise<void> => {
    await session.sending.discard(item);
    focusSoon("send");
  };
  return (
    <div class="question" role="group" aria-labelledby={id}>
      <p id={id}>{t("send.interrupted", { title: item.unfinished.title ?? "" })}</p>
      {item.computer !== null && (
        <button type="button" id="question" onClick={() => void resume()}>
          {t("send.resume")}
        </button>
      )}
      <button
        type="button"
        id={item.computer === null ? "question" : undefined}
        onClick={() => void discard()}
      >
        {t("send.discard")}
      </button>
    </div>
  );
}

function KindQuestion({ undecided }: { readonly undecided: readonly SessionSound[] }): VNode {
  const { actions } = usePage();
  const id = useId();
  const count = undecided.length;
  return (
    <div class="question kind" role="group" aria-labelledby={id}>
      <p id={id}>{t("page.askKind", { count, names: namesOf(undecided) })}</p>
      <button type="button" id="question" onClick={() => actions.answer("kind", { kind: "loop" })}>
        {t("page.answerLoops")}
      </button>
      <button type="button" onClick={() => actions.answer("kind", { kind: "oneshot" })}>
        {t("page.answerOneShots")}
      </button>
      <SelectThem sounds={undecided} />
    </div>
  );
}

function TempoQuestion({ loops }: { readonly loops: readonly SessionSound[] }): VNode {
  const { actions } = usePage();
  const [typed, setTyped] = useState("");
  const id = useId();
  const error = isWrong(typed, BPM) ? BPM.sentence(t) : undefined;
  const likely = loops.flatMap(({ guess }) => guess.likely ?? []);
  const takesLikely = typed.trim() === "" && likely.length > 0;
  const answer = (event: Event): void => {
    event.preventDefault();
    if (takesLikely) return actions.answerLikelyTempo();
    if (numberOf(typed, BPM) === undefined) return document.getElementById("question")?.focus();
    setTyped("");
    actions.answer("tempo", { bpm: typed });
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
      <button type="button" onClick={() => actions.answer("tempo", { isTempoOpen: true })}>
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
function SelectThem({ sounds }: { readonly sounds: readonly SessionSound[] }): VNode {
  const { actions } = usePage();
  const keys = sounds.map(({ key }) => key);
  const select = (): void => actions.select({ keys: new Set(keys), active: keys[0] ?? null });
  return (
    <button type="button" class="plain select-them" onClick={select}>
      {t("page.selectThem", { count: keys.length })}
    </button>
  );
}

/** Formats the first two names, and the number of others. */
function namesOf(sounds: readonly SessionSound[]): string {
  const names = sounds.slice(0, 2).map((sound) => choiceOf(sound).name);
  const more = sounds.length - names.length;
  return more === 0 ? names.join(", ") : t("page.andMore", { names: names.join(", "), more });
}
