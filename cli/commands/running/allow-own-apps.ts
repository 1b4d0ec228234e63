import type { Importer } from "../../../addon/importer.ts";
import { THIS_COMPUTER } from "../../../core/protocol/importer-api.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import type { Output } from "../../output.ts";

/**
 * Says yes for apps on this computer, where `up --code` has set the code: somebody chose it, which says so, and nobody may
 * be there to ask (rule P12). Apps elsewhere still wait for a person.
 */
export function allowOwnApps(
  importer: Pick<Importer, "state" | "subscribe" | "answerPairing">,
  output: Pick<Output, "say">,
): Disposable {
  let answered: string | undefined;
  const look = ({ pairing: { request } }: Importer["state"]): void => {
    if (request?.network !== THIS_COMPUTER || request.request_id === answered) return;
    answered = request.request_id;
    importer
      .answerPairing({ request_id: answered, answer: "allow" })
      .catch((error: unknown) => output.say(sentenceOf(error)));
  };
  look(importer.state);
  return { [Symbol.dispose]: importer.subscribe(look) };
}
