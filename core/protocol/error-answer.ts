import type { ErrorAnswer, Problem } from "./public-api.ts";
import type { Refusal } from "./refusal.ts";

/** What a refusal says to its caller (rules E1, E3). */
export function errorAnswer(refused: Refusal): ErrorAnswer {
  const { problems, body } = refused.extras;
  return {
    ...problemOf(refused),
    ...(problems !== undefined && { problems: problems.map(problemOf) }),
    ...body,
  };
}

function problemOf({ message, code, extras }: Refusal): Problem {
  return { error: message, code, ...extras.about };
}
