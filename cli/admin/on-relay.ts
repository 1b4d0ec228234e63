import { userInfo } from "node:os";
import type { Command } from "commander";
import type { OperatorActions } from "../../relay/operating/operator-actions.ts";
import type { RelayView } from "../../relay/operating/relay-view.ts";
import { type Output, outputFor } from "../output.ts";
import { relaySettingsOf } from "../commands/relay/settings-of.ts";

/** Looks at the records of the relay that a command names. Changes nothing. */
export async function lookAt(
  command: Command,
  look: (view: RelayView, output: Output) => Promise<void>,
): Promise<void> {
  const settings = relaySettingsOf(command);
  const { openView } = await import("../../relay/operating/open-operated.ts");
  await using view = await openView(settings);
  await look(view, outputFor(command.optsWithGlobals()));
}

/** Changes something at the relay that a command names. */
export async function administer(
  command: Command,
  act: (actions: OperatorActions, output: Output) => Promise<void>,
): Promise<void> {
  const settings = relaySettingsOf(command);
  const { openActions } = await import("../../relay/operating/open-operated.ts");
  await using actions = await openActions(settings, { who: whoRuns() });
  await act(actions, outputFor(command.optsWithGlobals()));
}

/** The user of the operating system, and who became that user with sudo. */
function whoRuns(): string {
  const behind = process.env["SUDO_USER"];
  const name = userName();
  return behind === undefined || behind === name ? name : `${name} (sudo by ${behind})`;
}

/** A container's user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR"))
      throw error;
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
