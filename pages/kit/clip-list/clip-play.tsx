import type { VNode } from "preact";
import { useCallback, useState } from "preact/hooks";
import { t } from "../page-language.ts";
import { LiveRegion } from "../text.tsx";
import { clipName } from "./clip-facts.ts";
import type { ClipAudio, ClipRow, ClipState } from "./clip-row.ts";
import { ClipWave } from "./clip-wave.tsx";
import { useIsPlaying } from "./use-playing.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";

interface PlayableWaveProps {
  readonly row: ClipRow;
  /** The row's place in the list, from 0. */
  readonly index: number;
  readonly audio: ClipAudio;
}

/** One sound in a detail view: Play, a large waveform with beat lines, and a line for why it can't be played. */
export function PlayableWave({ row, index, audio }: PlayableWaveProps): VNode {
  const { play, failed, announcement } = useClipPlay([row], audio);
  const because = row.silentBecause ?? failed.get(row.key)?.because ?? "";
  return (
    <div class="playable-wave">
      <ClipPlay
        clipKey={row.key}
        name={clipName(t, row, index)}
        audio={audio}
        silentBecause={row.silentBecause}
        onPlay={play}
      />
      <ClipWave clipKey={row.key} audio={audio} beats={beatsOf(row)} />
      <p class="note">{because}</p>
      <LiveRegion {...announcement} />
    </div>
  );
}

/** Returns the facts for a loop's beat lines; null if there are none. */
export function beatsOf({ durationSeconds, tempoBpm, kind }: ClipRow) {
  if (durationSeconds === null || tempoBpm === null || kind !== "loop") return null;
  return { durationSeconds, tempoBpm };
}

interface ClipPlayProps {
  readonly clipKey: string;
  /** The sound's name, for screen readers. */
  readonly name: string;
  readonly audio: ClipAudio;
  readonly silentBecause: string | null;
  readonly onPlay: (key: string) => void;
  /** Set in a row, where the arrow keys reach it and Tab doesn't. */
  readonly isInRow?: boolean;
}

/** Plays a sound, or stops it while it plays. */
export function ClipPlay(props: ClipPlayProps): VNode {
  const { clipKey, name, audio, silentBecause, onPlay, isInRow = false } = props;
  const isPlaying = useIsPlaying(audio, clipKey);
  return (
    <button
      type="button"
      class={`icon play ${isPlaying ? "on" : ""}`}
      tabIndex={isInRow ? -1 : 0}
      aria-disabled={silentBecause !== null}
      {...(silentBecause === null ? {} : { title: silentBecause })}
      aria-label={isPlaying ? t("clips.stop", { name }) : t("clips.play", { name })}
      onClick={() => onPlay(clipKey)}
    >
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={isPlaying ? "M2.5 2.5h7v7h-7z" : "M3 1.5v9l7.5-4.5z"} />
      </svg>
    </button>
  );
}

interface ClipPlaying {
  /** Starts or stops a sound, or announces why it can't be played. */
  readonly play: (key: string) => void;
  /** States of the rows whose sound didn't play, until it is tried again. */
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
