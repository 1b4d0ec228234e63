import { colorOfTurn } from "./color-rotation.ts";
import type { Layout } from "./layout.ts";

/**
 * Gives the automatic colors of a layout their value (rule T4), so that a host can have it.
 * @param turn the package's turn in the rotation, from 0
 */
export function colorLayout(layout: Layout<number | null>, turn: number): Layout {
  const turnColor = colorOfTurn(turn);
  return {
    ...layout,
    tracks: layout.tracks.map((sound) =>
      "error" in sound ? sound : { ...sound, colorIndex: sound.colorIndex ?? turnColor },
    ),
  };
}
