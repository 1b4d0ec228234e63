/** The colors of the icon: the pages' accent, and what is written on it (pages/kit/style/tokens.css). */
export const ICON_COLORS = { ground: "#ffad56", mark: "#1c1c1b" } as const;

/** A shape with round corners, in a square whose sides are 1 long and whose origin is at the top left. */
export interface IconShape {
  /** Corners, clockwise, before they are rounded. */
  readonly corners: readonly (readonly [x: number, y: number])[];
  /** Distance by which the shape grows on all sides, which rounds its corners. */
  readonly round: number;
}

/** The loudness of the sound that the ferry carries, from left to right. */
const LEVELS = [0.13, 0.27, 0.38, 0.22, 0.11];
const BAR_ROUND = 0.035;
const BAR_STEP = 0.125;
const DECK_Y = 0.58;

/** The mark: a ferry that carries a waveform. */
export const ICON_MARK: readonly IconShape[] = [
  ...LEVELS.map((level, index): IconShape => {
    const x = 0.5 + (index - (LEVELS.length - 1) / 2) * BAR_STEP;
    return {
      corners: [
        [x, DECK_Y - level + 2 * BAR_ROUND],
        [x, DECK_Y - BAR_ROUND],
      ],
      round: BAR_ROUND,
    };
  }),
  {
    corners: [
      [0.19, 0.66],
      [0.81, 0.66],
      [0.7, 0.77],
      [0.3, 0.77],
    ],
    round: 0.03,
  },
];

/** The square that the mark is on, whose corners are round where no system cuts the icon itself. */
export function groundShape(round: number): IconShape {
  const [near, far] = [round, 1 - round];
  return {
    corners: [
      [near, near],
      [far, near],
      [far, far],
      [near, far],
    ],
    round,
  };
}
