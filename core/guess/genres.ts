/** The slowest and the fastest usual tempo of a style, in BPM. */
export type TempoRange = readonly [slowest: number, fastest: number];

const STYLES: readonly (readonly [words: string, slowest: number, fastest: number])[] = [
  ["dnb drumfunk neuro neurofunk jumpup liquid steppers rollers roller techstep", 160, 185],
  ["jungle", 150, 180],
  ["house deephouse techhouse progressive minimal disco frenchhouse afrohouse slaphouse", 110, 132],
  ["techno hardtechno acid rave", 120, 155],
  ["trance psytrance psy", 128, 150],
  ["garage ukg twostep speedgarage", 124, 140],
  ["dubstep riddim grime drill", 136, 150],
  ["trap phonk", 120, 170],
  ["hiphop boombap lofi chillhop triphop downtempo rnb soul neosoul", 65, 112],
  ["reggaeton dembow dancehall cumbia", 80, 112],
  ["moombahton", 100, 115],
  ["footwork juke", 150, 170],
  ["hardstyle", 145, 160],
  ["hardcore gabber", 155, 220],
  ["funk", 90, 125],
  ["amapiano", 105, 118],
  ["afrobeat afrobeats", 95, 125],
  ["jerseyclub", 130, 145],
  ["bigroom edm eurodance electro", 120, 140],
  ["futurebass", 130, 170],
  ["dub reggae onedrop ambient", 60, 95],
  ["kuduro", 125, 145],
];

/** Styles that names mention, by word; phrases as `joinPhrases` writes them. */
export const GENRES: ReadonlyMap<string, TempoRange> = new Map(
  STYLES.flatMap(([words, slowest, fastest]) =>
    words.split(" ").map((word): [string, TempoRange] => [word, [slowest, fastest]]),
  ),
);
