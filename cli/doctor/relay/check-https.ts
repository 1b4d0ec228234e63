import { isIP } from "node:net";
import { checkServerIdentity, connect, type PeerCertificate, type TLSSocket } from "node:tls";
import { isHello } from "../../../core/importer/relay-answers.ts";
import { isNearby } from "../../../addon/relay/relay-url.ts";
import { type Finding, note, ok, wrong } from "../finding.ts";
import { probe } from "./probe.ts";
import type { Visit } from "./visit.ts";

/** Days before a certificate's end by which it should have been renewed. */
const SOON_DAYS = 14;
const DAY_MS = 24 * 3600 * 1000;
const RENEW = "Renew it, and have the proxy load the new one.";

/** The time and the authorities that the certificate is judged by. */
export interface Trust {
  readonly now: number;
  /** Trusted authorities in PEM; by default those that Node trusts. */
  readonly ca?: string | undefined;
}

/** Checks whether tokens travel encrypted: https on a public name, and a certificate that everyone accepts. */
export async function checkCertificate(
  { url, waits, signal }: Pick<Visit, "url" | "waits" | "signal">,
  trust: Trust,
): Promise<readonly Finding[]> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === "http:") return [judgePlain(hostname)];
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({
    host,
    port: Number(port || 443),
    ...(isIP(host) === 0 && { servername: host }),
    ...(trust.ca !== undefined && { ca: trust.ca }),
    rejectUnauthorized: false,
    ALPNProtocols: ["http/1.1"],
  });
  const late = AbortSignal.any([signal, AbortSignal.timeout(waits.answerMs)]);
  try {
    await handshake(socket, late);
    return judgeCertificate(host, socket, trust);
  } catch {
    signal.throwIfAborted();
    // The first call says what keeps it from connecting.
    return [];
  } finally {
    socket.destroy();
  }
}

function judgePlain(hostname: string): Finding {
  if (isNearby(hostname)) {
    return ok("certificate", `No https, which ${hostname} doesn't need: its address is private.`);
  }
  return wrong(
    "certificate",
    `Tokens and sounds travel unencrypted to ${hostname}.`,
    "Serve it over https, with a certificate for that name, and give out that address.",
  );
}

function handshake(socket: TLSSocket, late: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.once("secureConnect", resolve);
    late.addEventListener("abort", () => reject(late.reason), { once: true });
  });
}

function judgeCertificate(host: string, socket: TLSSocket, { now }: Trust): readonly Finding[] {
  const certificate = socket.getPeerCertificate();
  const faults = [
    ...judgeDates(certificate, now),
    ...judgeName(host, certificate),
    ...judgeTrust(socket),
  ];
  if (faults.length > 0) return faults;
  return [
    ok("certificate", `The certificate is valid for ${host} until ${dayOf(certificate.valid_to)}.`),
  ];
}

function judgeDates({ valid_from, valid_to }: PeerCertificate, now: number): readonly Finding[] {
  const [from, to] = [Date.parse(valid_from), Date.parse(valid_to)];
  if (now >= to) {
    return [wrong("certificate", `The certificate expired on ${dayOf(valid_to)}.`, RENEW)];
  }
  if (now < from) {
    const advice = "Check the clock of this computer, and that of the one that made it.";
    return [
      wrong("certificate", `The certificate is valid only from ${dayOf(valid_from)}.`, advice),
    ];
  }
  if (now < to - SOON_DAYS * DAY_MS) return [];
  return [note("certificate", `The certificate expires on ${dayOf(valid_to)}.`, RENEW)];
}

function judgeName(host: string, certificate: PeerCertificate): readonly Finding[] {
  if (checkServerIdentity(host, certificate) === undefined) return [];
  const names = certificate.subjectaltname ?? certificate.subject.CN;
  const sentence = `The certificate is not for ${host}, but for ${String(names)}.`;
  return [wrong("certificate", sentence, `Get one for ${host}.`)];
}

/** Reports any other fault that Node finds. Dates and names are judged before. */
function judgeTrust({ authorizationError }: TLSSocket): readonly Finding[] {
  const code = String(authorizationError ?? "");
  const isJudged = /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_TLS_CERT_ALTNAME_INVALID)$/.test(
    code,
  );
  if (code === "" || code === "null" || isJudged) return [];
  return [
    wrong(
      "certificate",
      `The certificate isn't trusted (${code}).`,
      "Have the proxy send a certificate of a public authority, such as Let's Encrypt, with its intermediates.",
    ),
  ];
}

/** Formats a date, such as `2027-01-31`. */
function dayOf(text: string): string {
  return new Date(text).toISOString().slice(0, 10);
}

/**
 * Checks that a relay with https doesn't serve calls without it on the same name, where a token would be read on the
 * way. Without a known second port there is nothing to check.
 * @param plainUrl by default the name's port 80, if https has its own port
 */
export async function checkPlainHttp(
  visit: Pick<Visit, "url" | "waits" | "signal">,
  plainUrl: string | undefined = plainUrlOf(visit.url),
): Promise<readonly Finding[]> {
  if (plainUrl === undefined) return [];
  const answer = await probe(visit, { at: plainUrl, path: "/importer/hello" }).catch(() => {
    visit.signal.throwIfAborted();
    return undefined;
  });
  if (answer === undefined || !isHello(answer.json)) {
    return [ok("plain-http", `No relay answers unencrypted at ${plainUrl}.`)];
  }
  const advice = "Have the proxy redirect http to https, and pass nothing on from there.";
  return [wrong("plain-http", `The relay also answers unencrypted, at ${plainUrl}.`, advice)];
}

function plainUrlOf(url: string): string | undefined {
  const { protocol, port, hostname, pathname } = new URL(url);
  if (protocol !== "https:" || port !== "") return undefined;
  return `http://${hostname}${pathname.replace(/\/+$/, "")}`;
}
