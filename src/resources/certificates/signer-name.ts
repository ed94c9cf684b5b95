import { type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1123Label, dns1123Subdomain, nameIsDns1123Subdomain, type Validator } from '../../meta/names.js';
import { quote } from '../../values/quote.js';
import { isLongerThan } from '../../values/utf8.js';

const MAX_DOMAIN = 253;
// The length of the longest signer name for a namespaced resource: group, slash, namespace, dot and name.
const MAX_LENGTH = 253 + 1 + 253 + 63 + 1;

/** Returns the validation errors of a signer name, `domain/path` (spec 15.3). */
export function validateSignerName(name: string, path: string): FieldError[] {
  if (name === '') return [fieldError.required(path)];
  const [domain = '', rest, ...more] = name.split('/', 3);
  if (rest === undefined || more.length > 0)
    return [
      fieldError.invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  return [
    ...(isLongerThan(domain, MAX_DOMAIN) ? [fieldError.tooLong(path, MAX_DOMAIN)] : []),
    ...firstBadPiece(domain, dns1123Label, path),
    ...(domain.includes('.')
      ? []
      : [fieldError.invalid(path, domain, 'should be a domain with at least two segments separated by dots')]),
    ...firstBadPiece(rest, dns1123Subdomain, path),
    ...(isLongerThan(name, MAX_LENGTH) ? [fieldError.tooLong(path, MAX_LENGTH)] : []),
  ];
}

/** Returns the errors of the first invalid segment of a dot-separated name. */
function firstBadPiece(part: string, rule: Validator, path: string): FieldError[] {
  for (const piece of part.split('.')) {
    const problems = rule(piece);
    if (problems.length > 0)
      return problems.map((why) => fieldError.invalid(path, part, `validating label ${quote(piece)}: ${why}`));
  }
  return [];
}

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
