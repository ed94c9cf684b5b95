/**
 * A certificate as Node represents it. Its `issuerCertificate` is the certificate that the peer sent next, even if that is not its issuer.
 */
export interface SentCertificate {
  readonly raw: Uint8Array;
  readonly issuerCertificate?: SentCertificate | undefined;
}

/**
 * Returns the DER of the certificates that the peer sent, in the order in which they were sent, the leaf first. It must be called only once
 * for a connection, because Node drops the issuers when they are first read. `getPeerCertificate(true)` is not used, because it leaves out
 * certificates that were sent in the wrong order and adds certificates that the TLS context trusts.
 * @param leaf the result of `getPeerX509Certificate()`
 */
export function sentCertificates(leaf: SentCertificate | undefined): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  for (let each = leaf; each; each = each.issuerCertificate) chain.push(new Uint8Array(each.raw));
  return chain;
}
