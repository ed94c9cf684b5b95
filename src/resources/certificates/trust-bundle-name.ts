import { dns1123Subdomain, nameIsDns1123Subdomain } from '../../meta/names.js';

/**
 * Checks that the name of a signer's bundle begins with the name of the signer (spec 15.12). `signer` is '' for bundles without a signer.
 */
export function trustBundleName(name: string, prefix: boolean, signer: string): readonly string[] {
  if (signer === '') {
    if (name.includes(':')) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
    return nameIsDns1123Subdomain(name, prefix);
  }
  const expectedPrefix = `${signer.replaceAll('/', ':')}:`;
  if (!name.startsWith(expectedPrefix))
    return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${expectedPrefix}`];
  const rest = name.slice(expectedPrefix.length);
  return prefix ? nameIsDns1123Subdomain(rest, true) : dns1123Subdomain(rest);
}
