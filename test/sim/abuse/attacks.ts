import type { Attack } from "./attack.ts";
import { allAtOnce } from "./attacks/all-at-once.ts";
import { costlyJson, wrongTokens, wrongUploads } from "./attacks/costs.ts";
import { racedDeletions, revokedWhileSilent } from "./attacks/deletions.ts";
import { heldBodies, heldPolls, manySockets, unreadAnswers } from "./attacks/held.ts";
import { foreignHosts, webPage } from "./attacks/local.ts";
import { keptOut } from "./attacks/newcomers.ts";
import { floodedLog } from "./attacks/log.ts";
import { bigResults, emptyPromises, manyRecords } from "./attacks/packages.ts";
import { splitSounds } from "./attacks/parts.ts";
import { guessedCodes, hastyTrust } from "./attacks/pairing.ts";
import { filledPlaces, filledRoom } from "./attacks/shares.ts";
import { trickles } from "./attacks/trickles.ts";

/** Every attack, in the order of their numbers. */
export const ATTACKS: readonly Attack[] = [
  guessedCodes,
  bigResults,
  emptyPromises,
  trickles,
  costlyJson,
  heldBodies,
  manySockets,
  webPage,
  foreignHosts,
  hastyTrust,
  unreadAnswers,
  heldPolls,
  wrongUploads,
  wrongTokens,
  manyRecords,
  filledRoom,
  filledPlaces,
  splitSounds,
  floodedLog,
  keptOut,
  racedDeletions,
  revokedWhileSilent,
];

/** The attacks that run only when they are named: they take minutes. */
export const LONG_ATTACKS: readonly Attack[] = [allAtOnce];
