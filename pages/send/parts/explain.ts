import { explainIn } from "../../../client/send/words/explain.ts";
import { t } from "../../kit/page-language.ts";

/** Any error as a sentence in the page's language, as far as it is known. */
export function explain(error: unknown): string {
  return explainIn(t, error);
}
