import type { Importer } from "../importer.ts";
import { answerJson } from "./control-answer.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { ControlError, readBody, readObject, route, type Route } from "./control-call.ts";

const PATH = "/control/pairing-code";

/**
 * The routes of the pairing code (rule P2). A page opens its pairing step, says while it is visible, and
 * closes it. A program asks for a code that is kept.
 */
export function pairingRoutes(importer: Pick<Importer, "pairingCode" | "codes">): readonly Route[] {
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
  ];
}
