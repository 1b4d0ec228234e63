import type { PanelStart, PanelState } from "../../../core/protocol/panel-api.ts";

/** The `PanelStart` in a dialog's page. */
export function readPanelStart(url: string): PanelStart {
  const page = Buffer.from(url.slice(url.indexOf(",") + 1), "base64").toString("utf8");
  const written = /<script\b[^>]*\bid="start"[^>]*>([^<]*)<\/script>/.exec(page)?.[1];
  if (written === undefined) throw new Error(`No panel: ${page}`);
  return JSON.parse(written);
}

/** The calls of a page in Live's dialog: from the origin `null`, with its secret. */
export class OpenedPanel {
  readonly start: PanelStart;

  constructor(url: string) {
    this.start = readPanelStart(url);
  }

  /** @throws {Error} when it is refused */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
  async call(method: string, path: string, body?: object): Promise<any> {
    return (await this.#open(method, path, body)).json();
  }

  async #open(method: string, path: string, body?: object): Promise<Response> {
    const answer = await fetch(this.start.address + path, {
      method,
      headers: { origin: "null", "x-soundferry-secret": this.start.secret },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer;
  }

  /** Follows the importer's state until it is as wanted. */
  async until(isWanted: (state: PanelState) => boolean): Promise<PanelState> {
    const { body } = await this.#open("GET", "/control/state");
    let text = "";
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (text + piece).split("\n");
      text = lines.pop() ?? "";
      const states = lines.map((line): PanelState => JSON.parse(line));
      const wanted = states.find((state) => "packages" in state && isWanted(state));
      if (wanted !== undefined) return wanted;
    }
    throw new Error("The stream of states ended.");
  }
}
