import type { Seam } from "../audio/seam-meter.ts";
import { formatNumber } from "../text/format-number.ts";
import { type Finding, findingSentence, type HeardSound } from "./finding.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Finds what one sound's audio says: silence, or else clicks, clipping and an offset. */
export function findInAudio({ sound, header, measures }: HeardSound): readonly Finding[] {
  const { clippedRuns, dcOffsets, peak, seams } = measures;
  const finding = { sound: sound.id, field: null } as const;
  const { silentPeak, clippedRuns: mostRuns, dcOffset, dcSeconds } = THRESHOLDS;
  if (peak < silentPeak) {
    const sentence =
      peak === 0
        ? findingSentence("SILENT_ZERO")
        : findingSentence("SILENT", { peak: (20 * Math.log10(peak)).toFixed(0) });
    return [{ ...finding, code: "SILENT", sentence, measured: peak, threshold: silentPeak }];
  }
  const found: Finding[] = [];
  const [click] = seams.filter(isClick).toSorted((one, other) => other.step - one.step);
  if (click !== undefined) {
    const { step, ownStep } = click;
    const sentence = findingSentence("CLICK", { step: step.toFixed(2), own: ownStep.toFixed(2) });
    const threshold = Math.max(THRESHOLDS.clickStep, THRESHOLDS.clickRatio * ownStep);
    found.push({ ...finding, code: "CLICK", sentence, measured: step, threshold });
  }
  if (clippedRuns >= mostRuns) {
    const places = clippedRuns === 1 ? "one place" : `${clippedRuns} places`;
    const sentence = findingSentence("CLIPPED", { places });
    const measured = clippedRuns;
    found.push({ ...finding, code: "CLIPPED", sentence, measured, threshold: mostRuns });
  }
  const measured = Math.max(...dcOffsets.map(Math.abs));
  if (measured >= dcOffset && header.frames >= dcSeconds * header.sampleRateHz) {
    const sentence = findingSentence("DC_OFFSET", { percent: formatNumber(measured * 100, 1) });
    found.push({ ...finding, code: "DC_OFFSET", sentence, measured, threshold: dcOffset });
  }
  return found;
}

/** Checks whether a loop's seam stands out, and isn't the attack of its first sound. */
function isClick({ step, ownStep, peakBefore, peakAfter }: Seam): boolean {
  const { clickStep, clickRatio, attackRatio, attackStep } = THRESHOLDS;
  const isAttack = peakAfter >= attackRatio * peakBefore && step <= attackStep * peakAfter;
  return step >= clickStep && step >= clickRatio * ownStep && !isAttack;
}
