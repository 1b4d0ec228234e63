import { X509Certificate } from "node:crypto";
import { type SecureContextOptions, rootCertificates } from "node:tls";
import { addressSpaceOf } from "../../core/protocol/judge-host.ts";

/** Certificate and key of a server for https, as PEM. */
export interface TlsFiles {
  /** The server's certificate, followed by those that lead to its root. */
  readonly cert: string;
  readonly key: string;
}

/** The suites with forward secrecy that also protect what they encrypt (rule SEC4). */
const CIPHERS = [
  "TLS_AES_128_GCM_SHA256",
  "TLS_AES_256_GCM_SHA384",
  "TLS_CHACHA20_POLY1305_SHA256",
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
];
/** Stands over what Node's own flags allow. */
export const STRONG_TLS: SecureContextOptions = {
  minVersion: "TLSv1.2",
  ciphers: CIPHERS.join(":"),
};

/** A year, without the names below: other programs there may have no https. */
export const STRICT_TRANSPORT = { "strict-transport-security": "max-age=31536000" };

/**
 * Checks whether any browser takes a certificate: it is for a public name, and its chain leads to a root that Node has of
 * its own. With one that only some computers trust, browsers that remember https could no longer reach the relay once it is
 * without it.
 */
export function isPublicCertificate({ cert }: TlsFiles): boolean {
  const [own, ...others] = certificatesIn(cert);
  if (own === undefined || !isForPublicName(own)) return false;
  let last = own;
  for (const next of others) if (isSignedBy(last, next)) last = next;
  return rootCertificates.some((root) => isSignedBy(last, new X509Certificate(root)));
}

function certificatesIn(pem: string): readonly X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs) ?? [];
  return blocks.map((block) => new X509Certificate(block));
}

function isForPublicName({ subjectAltName = "" }: X509Certificate): boolean {
  const names = [...subjectAltName.matchAll(/DNS:(?:\*\.)?([^,\s]+)/g)];
  return names.some(([, name = ""]) => addressSpaceOf(name.toLowerCase()) === undefined);
}

function isSignedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}
