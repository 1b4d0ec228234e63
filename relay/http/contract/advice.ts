// What a client does about some answers, in the words of every place that says it. A test compares the docs.

/** The answer after which a client forgets its token (rule W7). */
export const TOKEN_ADVICE =
  "Only `TOKEN_UNKNOWN` means that the token is unknown or revoked: forget it, and ask for a new pairing code. " +
  "`TOKEN_MISSING` means that the call arrived without one. A 401 without the header `Soundferry-Relay` comes from " +
  "something between, and says nothing about the token.";

/** The answers after which a client repeats a call (rules W4, L2). */
export const RETRY_ADVICE =
  "Try again after 408, 429, a 5xx other than 507, or no answer, and wait `Retry-After` seconds if they are given. " +
  "A 507 means that there is no room: show its sentence, which says what has to happen first, and try again no sooner " +
  "than `Retry-After`.";
