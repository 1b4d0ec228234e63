import type { Importer } from "../importer.ts";
import { isPackageId } from "../packages/package-source.ts";
import { answerBytes, answerJson, hangUpSignal } from "./control-answer.ts";
import { type ControlCall, ControlError, route, type Route } from "./control-call.ts";
import { panelPlanOf } from "./panel-plan.ts";

export type PackageImporter = Pick<
  Importer,
  "plan" | "openSound" | "dismiss" | "undoDismiss" | "reveal"
>;

/** The panel's calls about one package, besides its import. */
export function packageRoutes(importer: PackageImporter): readonly Route[] {
  return [
    route("GET", "/control/packages/:package_id/plan", async (call) => {
      const [packageId = ""] = call.parts;
      answerJson(call, 200, panelPlanOf(await importer.plan(packageId)));
    }),
    route("GET", "/control/packages/:package_id/sounds/:sound_id", async (call) => {
      const [packageId = "", soundId = ""] = call.parts;
      const sound = await importer.openSound(packageId, soundId, hangUpSignal(call));
      answerBytes(call, { type: "audio/wav", sizeBytes: sound.sizeBytes }, sound.body);
    }),
    route("POST", "/control/packages/:package_id/dismissal", async (call) => {
      await importer.dismiss(packageIdIn(call));
      answerJson(call, 200, {});
    }),
    route("DELETE", "/control/packages/:package_id/dismissal", async (call) => {
      await importer.undoDismiss(packageIdIn(call));
      answerJson(call, 200, {});
    }),
    route("POST", "/control/packages/:package_id/reveal", async (call) => {
      const [packageId = ""] = call.parts;
      await importer.reveal(packageId);
      answerJson(call, 200, {});
    }),
  ];
}

/** A page names packages that the importer offers, never a folder. */
function packageIdIn({ parts: [packageId = ""] }: ControlCall): string {
  if (!isPackageId(packageId)) throw new ControlError(404, "There is no such package.");
  return packageId;
}
