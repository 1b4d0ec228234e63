import { useCallback, useState } from "preact/hooks";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { t } from "../page-language.ts";
import type { ClipAudio, ClipRow, ClipState } from "./clip-row.ts";

interface ClipPlaying {
  /** Starts or stops a sound, or says why it can't be played. */
  readonly play: (key: string) => void;
  /** What rows show whose sound didn't play, until it is tried again. */
  readonly failed: ReadonlyMap<string, ClipState>;
  readonly announcement: { readonly text: string; readonly number: number };
}

/** Plays the sounds of a list, and shows in a row when its sound didn't play. */
export function useClipPlay(rows: readonly ClipRow[], audio: ClipAudio): ClipPlaying {
  const [failed, setFailed] = useState<ReadonlyMap<string, ClipState>>(new Map());
  const [announcement, setAnnouncement] = useState({ text: "", number: 0 });
  const say = useCallback((text: string): void => {
    setAnnouncement(({ number }) => ({ text, number: number + 1 }));
  }, []);
  const play = useCallback(
    (key: string): void => {
      const silentBecause = rows.find((row) => row.key === key)?.silentBecause ?? null;
      if (silentBecause !== null) {
        say(silentBecause);
        return;
      }
      setFailed((failed) => without(failed, key));
      audio.toggle(key).catch((failure: unknown) => {
        const sentence = sentenceOf(failure);
        const words = t("clips.cannot-play");
        setFailed((failed) => new Map(failed).set(key, { tone: "bad", words, because: sentence }));
        say(sentence);
      });
    },
    [rows, audio, say],
  );
  return { play, failed, announcement };
}

function without(
  failed: ReadonlyMap<string, ClipState>,
  key: string,
): ReadonlyMap<string, ClipState> {
  if (!failed.has(key)) return failed;
  const rest = new Map(failed);
  rest.delete(key);
  return rest;
}
