import type { Importer, ImporterCalls } from "../importer.ts";
import { answerJson } from "./control-answer.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { ControlError, readBody, readObject, route, type Route } from "./control-call.ts";

const PATH = "/control/pairing-code";
const REQUEST_PATH = "/control/pairing-request";

/**
 * The routes of the pairing code (rule P2), and of the app that waits for a yes (rule P12). A page opens its pairing
 * step, says while it is visible, and closes it. A program asks for a code that is kept.
 */
export function pairingRoutes(
  importer: Pick<Importer, "codes"> &
    Pick<ImporterCalls, "pairingCode" | "pairingRequest" | "answerPairing">,
): readonly Route[] {
  return [
    route("POST", PATH, async (call) => {
      const body = await readBody(call);
      const { keep, fresh } = isJsonObject(body) ? body : {};
      const made =
        keep === true ? importer.pairingCode() : importer.codes.open({ isFresh: fresh === true });
      answerJson(call, 200, await made);
    }),
    route("PUT", PATH, async (call) => {
      const { visible } = await readObject(call);
      if (typeof visible !== "boolean") {
        throw new ControlError(400, "visible must be true or false.");
      }
      importer.codes.see(visible);
      answerJson(call, 200, {});
    }),
    route("DELETE", PATH, async (call) => {
      await importer.codes.hide();
      answerJson(call, 200, {});
    }),
    route("GET", REQUEST_PATH, async (call) => {
      answerJson(call, 200, await importer.pairingRequest());
    }),
    route("PUT", REQUEST_PATH, async (call) => {
      const { request_id, answer } = await readObject(call);
      if (typeof request_id !== "string" || (answer !== "allow" && answer !== "deny")) {
        throw new ControlError(400, "request_id and answer, allow or deny, are required.");
      }
      await importer.answerPairing({ request_id, answer });
      answerJson(call, 200, {});
    }),
  ];
}
