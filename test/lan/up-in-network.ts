import { join } from "node:path";
import { onTestFinished } from "vitest";
import { SECRET_HEADER } from "../../addon/control/control-server.ts";
import type { PanelState } from "../../core/protocol/panel-api.ts";
import type { LanChoice } from "../../core/protocol/panel-lan.ts";
import { type Machine, makeMachine, type RunningCommand } from "../cli/run-soundferry.ts";
import { homeNetwork, type HomeNetwork } from "./home-network.ts";
import type { NetworkPlace, PlaceAnswer } from "./network-place.ts";

const COMMAND = join(import.meta.dirname, "../../cli/soundferry.ts");

/** A `soundferry up` on the computer of a home network. */
export interface RunningUp {
  readonly command: RunningCommand;
  readonly relayPort: number;
  readonly panelPort: number;
  readonly panelUrl: string;
  readonly code: string;
  /** Its line with `--json`. */
  readonly printed: Readonly<Record<string, unknown>>;
  /** Calls the panel's importer, on the computer. */
  control(method: string, path: string, body?: object): Promise<PlaceAnswer>;
  /** Switches it, as the panel does. */
  choose(choice: LanChoice): Promise<PlaceAnswer>;
  state(): Promise<PanelState>;
}

/** A home network whose computer has a home folder, until the test is over. */
export async function networkWithComputer(): Promise<HomeNetwork & { readonly machine: Machine }> {
  const network = await homeNetwork();
  const machine = await makeMachine([...network.computer.within, process.execPath, COMMAND]);
  onTestFinished(() => machine[Symbol.asyncDispose]());
  return { ...network, machine };
}

/** Starts `up` with further words, and waits until it is ready. */
export async function startUp(
  { computer, machine }: { readonly computer: NetworkPlace; readonly machine: Machine },
  words: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<RunningUp> {
  const command = machine.start(["up", "--no-open", "--json", ...words], environment);
  await command.until(({ stdout }) => stdout.endsWith("}\n"));
  const printed = JSON.parse(command.stdout);
  const panelUrl = new URL(printed.panel_url);
  const control: RunningUp["control"] = (method, path, body) =>
    computer.call(panelUrl.origin + path, {
      method,
      headers: { [SECRET_HEADER]: panelUrl.hash.slice(1), "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    command,
    relayPort: Number(new URL(printed.relay_url).port),
    panelPort: printed.panel_port,
    panelUrl: panelUrl.href,
    code: printed.code,
    printed,
    control,
    choose: (choice) => control("PUT", "/control/lan", choice),
    state: () => firstLine(computer, panelUrl),
  };
}

/** Reads the panel's state, which is streamed. */
async function firstLine(computer: NetworkPlace, { hash, port }: URL): Promise<PanelState> {
  const socket = await computer.connect({ host: "127.0.0.1", port: Number(port) });
  socket.write(
    `GET /control/state HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n${SECRET_HEADER}: ${hash.slice(1)}\r\n\r\n`,
  );
  let text = "";
  for await (const piece of socket as AsyncIterable<Buffer>) {
    text += piece.toString("utf8");
    const line = /^\{.*\}$/m.exec(text);
    if (line !== null) return JSON.parse(line[0]);
  }
  throw new Error(`The panel's state ended: ${text}`);
}
