import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import type { Context } from "../domain/context.ts";
import { type DeviceView, viewOf } from "../domain/device-view.ts";

const PACKAGES: SocketMessage = { type: "packages.changed" };
const APPS: SocketMessage = { type: "apps.changed" };

/** The importer on the other side. */
interface Notified {
  readonly send: (message: SocketMessage) => void;
  /** Called whenever the importer's token may have been revoked. */
  readonly checkToken: () => void;
  /** Called when the records could not be read. They are read again the next time. */
  readonly onError: (error: unknown) => void;
}

/**
 * Notifies a device's importer of every change, and tells it to look at everything again when notifications
 * may have been lost. Every `lookAgainMs` it also compares what the importer would see with what it would have
 * seen the last time, so that a notification that was lost for ever is made good (rule J6).
 * @returns a function that stops it
 */
export function notifyDevice(
  context: Context,
  deviceId: string,
  { send, checkToken, onError }: Notified,
): () => void {
  let isStopped = false;
  const stopListening = context.notifier.listen(`device:${deviceId}`, (heard) => {
    for (const message of heard.type === "missed" ? [PACKAGES, APPS] : [heard]) send(message);
    checkToken();
  });
  // It may have been revoked before anybody listened.
  checkToken();
  let seen: DeviceView | undefined;
  const lookFirst = async (): Promise<void> => {
    seen = await viewOf(context, deviceId);
  };
  const lookAgain = async (): Promise<void> => {
    const before = seen;
    seen = await viewOf(context, deviceId);
    if (isStopped) return;
    if (seen.packages !== before?.packages) send(PACKAGES);
    if (seen.apps !== before?.apps) send(APPS);
  };
  let looking = lookFirst().catch(onError);
  const timer = setInterval(() => {
    checkToken();
    looking = looking.then(lookAgain).catch(onError);
  }, context.policy.lookAgainMs);
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
    stopListening();
  };
}
