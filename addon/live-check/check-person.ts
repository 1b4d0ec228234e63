import {
  type LiveCheckAsk,
  type LiveFacts,
  type LiveFinding,
  factsOf,
} from "../../core/protocol/live-report.ts";
import { CHECK_NAME, type CheckPlace } from "./check.ts";
import { call, get, read, take, wait, type Work } from "./steps.ts";
import { fresh } from "./check-clips.ts";
import { findOurs, makeTrack } from "./check-tracks.ts";

/** A check that needs the person: they may skip it. */
interface PersonCheck {
  readonly id: string;
  readonly question: string;
  readonly ask: LiveCheckAsk;
  /** Checks whether these findings leave the question open; they always do by default. */
  readonly isOpen?: (findings: readonly LiveFinding[]) => boolean;
  /** Prepares the question, where it needs that; returns false where that failed. */
  readonly prepare?: (at: CheckPlace) => Work<boolean>;
  /** Answers the question. @param answer the person's count, else null */
  readonly find: (at: CheckPlace, answer: number | null) => Work<LiveFacts>;
}

/** The check of a new long clip after Live's preference was switched. */
const autoWarp: PersonCheck = {
  id: "fresh-long-switched",
  question: "How does a new long clip look with the other choice of Auto-Warp?",
  ask: {
    id: "fresh-long-switched",
    text:
      "In Live, open Settings → Record, Warp & Launch and switch Auto-Warp Long Samples to its other value. " +
      "Then continue; you can switch it back afterwards.",
    answer: "done",
  },
  find: fresh("long"),
};

/** The check of whether a playing Set keeps playing. */
const playing: PersonCheck = {
  id: "playing",
  question: "Does a playing Set play on while tracks and clips are made?",
  ask: { id: "playing", text: "Press Play in Live, then continue.", answer: "done" },
  *find(at) {
    const [before] = yield* read([], ["is_playing"]);
    const clip = yield* fresh("loop")(at);
    const [then, time] = yield [get("is_playing"), get("current_song_time")];
    yield* wait(2);
    const later = yield* take(get("current_song_time"));
    return {
      was_playing: before ?? null,
      plays_on: then?.value ?? null,
      moves_on: later.value !== time?.value,
      clip_error: clip["error"] ?? null,
    };
  },
};

/** The check of undo steps, which the person counts. */
const undoByHand: PersonCheck = {
  id: "undo-by-hand",
  question: "How often must a person choose Undo to take back a track with a name?",
  ask: {
    id: "undo-by-hand",
    text:
      `Live has a new track, ${CHECK_NAME} track, at the right end. Choose Edit → Undo until it is gone, and ` +
      "type how often you did.",
    answer: "number",
  },
  isOpen: (findings) => typeof factsOf({ checks: findings }, "undo")["steps"] !== "number",
  *prepare() {
    yield [call(["end_undo_step"]), call(["begin_undo_step"])];
    const [made] = yield makeTrack("create_audio_track");
    yield [call(["end_undo_step"])];
    return made?.error === null;
  },
  *find(_at, answer) {
    return { steps: answer, is_gone: (yield* findOurs()).length === 2 };
  },
};

export const PERSON_CHECKS: readonly PersonCheck[] = [autoWarp, playing, undoByHand];
