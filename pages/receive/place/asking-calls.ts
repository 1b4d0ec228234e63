import type { PanelPlan, PanelState } from "../../../core/protocol/panel-api.ts";
import type { PanelCall, PanelParams } from "../../../core/protocol/panel-calls.ts";
import { ViewStore } from "../../../core/view-store.ts";
import type { LinesListener } from "../../kit/follow-lines.ts";
import { t } from "../../kit/page-language.ts";
import type { PanelCalls } from "../../panel/panel-calls.ts";
import type { ReceiveImporter } from "../receive-importer.ts";

const IMPORTS: ReadonlySet<PanelCall> = new Set(["beginRun", "importAll"]);

/** The importer's calls; the first import asks where it goes (rule RC23). */
export class AskingCalls implements PanelCalls {
  readonly offersDrags = false;
  readonly question = new ViewStore({ isOpen: false });
  readonly #importer: ReceiveImporter;
  #settle: (isChosen: boolean) => void = () => undefined;

  constructor(importer: ReceiveImporter) {
    this.#importer = importer;
  }

  async send<Call extends PanelCall>(
    call: Call,
    ...params: object extends PanelParams<Call> ? [] : [params: PanelParams<Call>]
  ): Promise<void> {
    if (IMPORTS.has(call) && this.#importer.view.place === null && !(await this.#ask())) {
      throw new Error(t("receive.not-chosen"));
    }
    return this.#importer.send(call, ...params);
  }

  /** Closes the question. @param isChosen false if the person chose nothing */
  answer(isChosen: boolean): void {
    this.question.change({ isOpen: false });
    this.#settle(isChosen);
  }

  follow(listener: LinesListener<PanelState>, signal: AbortSignal): Promise<void> {
    return this.#importer.follow(listener, signal);
  }

  followLiveCheck(...of: Parameters<PanelCalls["followLiveCheck"]>): Promise<void> {
    return this.#importer.followLiveCheck(...of);
  }

  plan(packageId: string, signal: AbortSignal): Promise<PanelPlan> {
    return this.#importer.plan(packageId, signal);
  }

  sound(packageId: string, soundId: string, signal: AbortSignal): Promise<Blob> {
    return this.#importer.sound(packageId, soundId, signal);
  }

  #ask(): Promise<boolean> {
    this.#settle(false);
    this.question.change({ isOpen: true });
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }
}
