import { once } from "node:events";
import { connect, type ConnectionOptions } from "node:tls";

/** The alert of a server that takes none of the suites that a client offers. */
export const REFUSED_HANDSHAKE = "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE";

/** Shakes hands as a client that offers only this. Returns protocol and suite, or the relay's alert. */
export async function shakeHands(
  { url }: { readonly url: string },
  offer: ConnectionOptions,
): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), rejectUnauthorized: false, ...offer });
  try {
    await once(socket, "secureConnect");
    return `${socket.getProtocol()} ${socket.getCipher().name}`;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  } finally {
    socket.destroy();
  }
}
