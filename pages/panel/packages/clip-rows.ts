import { PLAY_BYTES } from "../../../core/audio/sound-limits.ts";
import { formatStatus } from "../../../core/text/format-outcome.ts";
import { formatDifference } from "../../../core/text/format-setting.ts";
import type {
  PanelPlan,
  PanelRunSound,
  PanelSound,
  PanelTrackPlan,
} from "../../../core/protocol/panel-api.ts";
import type { ClipRow, ClipState } from "../../kit/clip-list/clip-row.ts";
import { t } from "../../kit/page-language.ts";
import { clipKeyOf } from "./package-audio.ts";
import {
  type PickRow,
  usableOf,
  isAsAsked,
  isSavedRow,
  type ShownResult,
  soundResultsOf,
} from "./pick-row.ts";

/** Returns a package's sounds as rows; where the package is gone, returns the sounds of its last result. */
export function clipRowsOf(row: PickRow, plan: PanelPlan | null): readonly ClipRow[] {
  const tracks = new Map(plan?.tracks.map((track) => [track.id, track]));
  const results = new Map(soundResultsOf(row).map((result) => [result.id, result]));
  const usable = usableOf(row);
  const isSaved = isSavedRow(row);
  const stateOf = (id: string): ClipState | null =>
    stateOfRun(row.run?.sounds[id]) ??
    stateOfResult(results.get(id), isSaved) ??
    stateOfPlan(tracks.get(id));
  if (usable === null) {
    return [...results.values()].map(({ id, name }) =>
      goneRow(clipKeyOf(row, id), name, stateOf(id)),
    );
  }
  return usable.sounds.map((sound) =>
    soundRow(clipKeyOf(row, sound.id), sound, tracks.get(sound.id), stateOf(sound.id)),
  );
}

const UNKNOWN = { color: null, tempoBpm: null, lengthBeats: null, durationSeconds: null } as const;

function goneRow(key: string, name: string, state: ClipState | null): ClipRow {
  const silent = t("panel.sound-gone");
  return { key, name, kind: null, role: null, ...UNKNOWN, state, silentBecause: silent };
}

function soundRow(
  key: string,
  sound: PanelSound,
  track: PanelTrackPlan | undefined,
  state: ClipState | null,
): ClipRow {
  const { name, kind, role } = sound;
  const clip = { key, name, kind, role, state, silentBecause: silentBecause(sound, track) };
  if (track === undefined || "error" in track) return { ...clip, ...UNKNOWN };
  const { color, tempoBpm, loopEndBeats: lengthBeats, durationSeconds } = track;
  return { ...clip, color, tempoBpm, lengthBeats, durationSeconds };
}

function silentBecause({ bytes }: PanelSound, track: PanelTrackPlan | undefined): string | null {
  if (track !== undefined && "error" in track) return t("panel.sound-no-preview");
  return (bytes ?? 0) > PLAY_BYTES ? t("panel.sound-too-large") : null;
}

function stateOfRun(sound: PanelRunSound | undefined): ClipState | null {
  switch (sound?.state) {
    case undefined:
      return null;
    case "waiting":
      return { tone: "quiet", words: t("panel.sound-queued") };
    case "fetching":
      return {
        tone: "busy",
        words: t("panel.sound-fetching"),
        ...(sound.progress !== undefined && { progress: sound.progress }),
      };
    case "fetched":
      return { tone: "busy", words: t("panel.sound-fetched"), progress: 1 };
    case "placed":
      return { tone: "good", words: t("panel.sound-placed") };
    case "failed":
      return { tone: "bad", words: formatStatus(t, "failed") };
  }
}

function stateOfResult(result: ShownResult | undefined, isSaved: boolean): ClipState | null {
  if (result === undefined) return null;
  const { status, error } = result;
  if (status === "imported" && !isAsAsked(result)) {
    const because = result.differences.map((one) => formatDifference(t, one)).join(" ");
    return { tone: "mixed", words: t("panel.sound-differs"), because };
  }
  if (status === "imported") {
    return { tone: "good", words: isSaved ? t("panel.result-saved") : formatStatus(t, status) };
  }
  if (status === "failed") {
    return {
      tone: "bad",
      words: formatStatus(t, status),
      ...(error !== null && { because: error }),
    };
  }
  const isChosen = error !== t("panel.sound-not-selected");
  return {
    tone: isChosen ? "mixed" : "quiet",
    words: isChosen ? formatStatus(t, status) : t("panel.sound-not-selected"),
  };
}

function stateOfPlan(track: PanelTrackPlan | undefined): ClipState | null {
  if (track === undefined) return null;
  if ("error" in track)
    return { tone: "bad", words: t("panel.sound-unusable"), because: track.error };
  if (track.notes.length === 0) return null;
  return { tone: "mixed", words: t("panel.sound-note"), because: track.notes.join(" ") };
}
