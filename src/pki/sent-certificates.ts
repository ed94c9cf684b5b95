/** A certificate as Node shows it. What it calls its issuer is the certificate that was sent after it, whoever signed it. */
export interface SentCertificate {
  readonly raw: Uint8Array;
  readonly issuerCertificate?: SentCertificate | undefined;
}

/**
 * The DER of the certificates that the other side sent, in their order, leaf first. To be called once for a connection, as Node forgets
 * the issuers when they are read. (`getPeerCertificate(true)` would leave out what is out of order and add what the context trusts.)
 * @param leaf what `getPeerX509Certificate()` gives
 */
export function sentCertificates(leaf: SentCertificate | undefined): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  for (let each = leaf; each; each = each.issuerCertificate) chain.push(new Uint8Array(each.raw));
  return chain;
}
