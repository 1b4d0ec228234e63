/**
 * The contract's numbers: those of section 8 of the public specification, then those that the rules add. Written here
 * and not imported from a relay.
 */
export const LIMITS = {
  packageBytes: 209_715_200,
  sounds: 32,
  titleCharacters: 60,
  nameCharacters: 40,
  fileCharacters: 100,
  idCharacters: 100,
  bpm: { least: 20, most: 999 },
  lengthBeats: 4096,
  gainDb: { least: -70, most: 24 },
  callsPerMinute: 600,
  packagesPerHour: 30,
  triesPerMinute: 10,
  uploadWindowSeconds: 3600,
  waitSeconds: 86_400,

  bodyBytes: 1_048_576,
  errorUnits: 80,
  codeSeconds: 600,
  leaseSeconds: 300,
  longPollSeconds: 30,
  keyCharacters: 200,
  appIdCharacters: 200,
  deviceNameCharacters: 60,
  tokensPerPairing: 10,
  uploadsPerApp: 4,
  warnings: 100,
  warningUnits: 200,
  resultsBytes: 65_536,
  sampleRateHz: 192_000,
} as const;
