/**
 * The values at which findings begin (rule B9). A finding warns about what is rarely intended, so each threshold lies
 * beyond what careful packages have: the fixtures and the examples of `test/core/findings/` show both sides.
 */
export const THRESHOLDS = {
  /** The layout's own tolerance for lengths that agree (rule T2): less is heard as tight. */
  lengthSeconds: 0.01,
  /** The layout rounds to a beat that is this near (rule T2); a length that it leaves is on no beat. */
  lengthBeats: 0.1,
  /** A length that the manifest states may be any number of sixteenth notes; a finer one is a slip. */
  statedLengthStep: 0.25,
  /** -34 dBFS: a smaller step is a tick that the quietest music around it covers. */
  clickStep: 0.02,
  /** A step that stands out by less sounds like the loop itself, such as another hat. */
  clickRatio: 2,
  /** 12 dB: a sound that starts this much above what was before is an attack, */
  attackRatio: 4,
  /** which its first step may be half of, as where a drum was cut close. */
  attackStep: 0.5,
  /** A single run that stays at full scale is audible in a clean sound. */
  clippedRuns: 1,
  /** 1 % or -40 dBFS: where a sound starts and stops, the step is a tick. */
  dcOffset: 0.01,
  /** Less than some cycles of the lowest notes, whose half wave looks like an offset. */
  dcSeconds: 0.1,
  /** -60 dBFS: nothing is heard at the level of the others. */
  silentPeak: 0.001,
  /** A tempo without decimals was rounded, up or down. */
  namedTempo: 1,
  /** A tempo with decimals is meant as it is written. */
  namedTempoDecimals: 0.1,
  /** Twice as loud, to most people, is 10 LU; this begins before. */
  loudnessLu: 9,
  /** A median of fewer sounds says nothing. */
  loudnessSounds: 4,
} as const;
