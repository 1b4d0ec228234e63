import type { Attack } from "./attack.ts";
import { allAtOnce } from "./attacks/all-at-once.ts";
import { bigResults } from "./attacks/big-results.ts";
import { costlyJson } from "./attacks/costly-json.ts";
import { emptyPromises } from "./attacks/empty-promises.ts";
import { foreignHosts } from "./attacks/foreign-hosts.ts";
import { guessedCodes } from "./attacks/guessed-codes.ts";
import { hastyTrust } from "./attacks/hasty-trust.ts";
import { heldBodies } from "./attacks/held-bodies.ts";
import { heldPolls } from "./attacks/held-polls.ts";
import { manyRecords } from "./attacks/many-records.ts";
import { manySockets } from "./attacks/many-sockets.ts";
import { trickles } from "./attacks/trickles.ts";
import { unreadAnswers } from "./attacks/unread-answers.ts";
import { webPage } from "./attacks/web-page.ts";
import { wrongTokens } from "./attacks/wrong-tokens.ts";
import { wrongUploads } from "./attacks/wrong-uploads.ts";

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
];

/** Those that run only when they are named: they take minutes. */
export const LONG_ATTACKS: readonly Attack[] = [allAtOnce];
