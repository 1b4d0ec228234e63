import type { SocketMessage } from "../../core/protocol/importer-api.ts";
import type { Context } from "../domain/context.ts";
import { type DeviceView, viewOf } from "../domain/pairing/devices.ts";

const PACKAGES: SocketMessage = { type: "packages.changed" };
const APPS: SocketMessage = { type: "apps.changed" };
const PAIRING: SocketMessage = { type: "pairing.asked" };

/** The importer on the other side. */
interface Notified {
  readonly send: (message: SocketMessage) => void;
  /** Called whenever the importer's token may have been revoked. */
  readonly checkToken: () => void;
  /** Called when the records could not be read. They are read again the next time. */
  readonly onError: (error: unknown) => void;
}

/**
 * Notifies a device's importer of every change. When notifications may have been lost, and every `lookAgainMs`,
 * it compares what the importer would see with what it would have seen the last time, and notifies it of what
 * differs (rule J6).
 * @returns a function that stops it
 */
export function notifyDevice(
  context: Context,
  deviceId: string,
  { send, checkToken, onError }: Notified,
): () => void {
  let isStopped = false;
  let hasMissed = false;
  let isDue = false;
  let seen: DeviceView | undefined;
  const lookFirst = async (): Promise<void> => {
    const first = await viewOf(context, deviceId);
    // The importer may have looked before what was missed, and this look after it.
    if (!hasMissed) seen = first;
  };
  const lookAgain = async (): Promise<void> => {
    isDue = false;
    if (isStopped) return;
    const before = seen;
    seen = await viewOf(context, deviceId);
    if (isStopped) return;
    if (seen.packages !== before?.packages) send(PACKAGES);
    if (seen.apps !== before?.apps) send(APPS);
    if (seen.pairing !== before?.pairing) send(PAIRING);
  };
  let looking = lookFirst().catch(onError);
  const lookSoon = (): void => {
    checkToken();
    if (isDue) return;
    isDue = true;
    looking = looking.then(lookAgain).catch(onError);
  };
  const stopListening = context.notifier.listen(`device:${deviceId}`, (heard) => {
    if (heard.type === "missed") {
      hasMissed = true;
      lookSoon();
    } else {
      send(heard);
      checkToken();
    }
  });
  // It may have been revoked before anybody listened.
  checkToken();
  const timer = setInterval(lookSoon, context.policy.lookAgainMs);
  timer.unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
    stopListening();
  };
}
