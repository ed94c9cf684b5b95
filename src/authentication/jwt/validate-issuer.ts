import { type FieldError, fieldError } from '../../meta/field-error.js';
import { pemCertificates } from '../../pki/pem-certificates.js';
import { parseReference } from '../../values/uri.js';
import type { DecodedJwt } from './jwt-configuration.js';

type Issuer = DecodedJwt['issuer'];
const MATCH_ANY = 'MatchAny';
/** The detail of the error about certificates that cannot be parsed. */
export const MALFORMED = 'x509: malformed certificate';

/** Returns the validation errors of an issuer (spec 11.18). @param disallowed URLs of the server's own token issuers */
export function validateIssuer(issuer: Issuer, path: string, disallowed: readonly string[]): FieldError[] {
  return [
    ...validateIssuerUrl(issuer.url, `${path}.url`, disallowed),
    ...validateDiscoveryUrl(issuer, `${path}.discoveryURL`),
    ...validateAudiences(issuer, path),
    ...validateAuthority(issuer.certificateAuthority ?? '', `${path}.certificateAuthority`),
  ];
}

export function validateIssuerUrl(url: string, path: string, disallowed: readonly string[]): FieldError[] {
  if (url === '') return [fieldError.required(path, 'URL is required')];
  const errors = validateUrl(url, path);
  if (!disallowed.includes(url)) return errors;
  const all = [...new Set(disallowed)].sort().join(' ');
  return [fieldError.invalid(path, url, `URL must not overlap with disallowed issuers: [${all}]`), ...errors];
}

function validateDiscoveryUrl({ url, discoveryURL = '' }: Issuer, path: string): FieldError[] {
  if (discoveryURL === '') return [];
  const bare = (text: string) => {
    let end = text.length;
    while (end > 0 && text[end - 1] === '/') end--;
    return text.slice(0, end);
  };
  const same = url !== '' && bare(url) === bare(discoveryURL);
  return [
    ...(same ? [fieldError.invalid(path, discoveryURL, 'discoveryURL must be different from URL')] : []),
    ...validateUrl(discoveryURL, path),
  ];
}

function validateUrl(url: string, path: string): FieldError[] {
  const parsed = parseReference(url);
  const invalid = (detail: string) => fieldError.invalid(path, url, detail);
  if (typeof parsed === 'string') return [invalid(parsed)];
  const [beforeFragment = '', ...fragment] = url.split('#');
  const authority = /^[^:/?#]*:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
  return [
    ...(parsed.scheme === 'https' ? [] : [invalid('URL scheme must be https')]),
    ...(authority.includes('@') ? [invalid('URL must not contain a username or password')] : []),
    ...(/\?./s.test(beforeFragment) ? [invalid('URL must not contain a query')] : []),
    ...(fragment.join('#') === '' ? [] : [invalid('URL must not contain a fragment')]),
  ];
}

function validateAudiences({ audiences = [], audienceMatchPolicy: policy = '' }: Issuer, parent: string): FieldError[] {
  const path = `${parent}.audiences`;
  if (audiences.length === 0) return [fieldError.required(path, `at least one ${path} is required`)];
  const errors = audiences.flatMap((audience, i) => {
    const at = `${path}[${i}]`;
    return [
      ...(audience === '' ? [fieldError.required(at, "audience can't be empty")] : []),
      ...(audiences.indexOf(audience) < i ? [fieldError.duplicate(at, audience)] : []),
    ];
  });
  const policyPath = `${parent}.audienceMatchPolicy`;
  if (audiences.length > 1 && policy !== MATCH_ANY) {
    const detail = 'audienceMatchPolicy must be MatchAny for multiple audiences';
    errors.push(fieldError.invalid(policyPath, policy, detail));
  }
  if (audiences.length === 1 && policy !== '' && policy !== MATCH_ANY) {
    const detail = 'audienceMatchPolicy must be empty or MatchAny for single audience';
    errors.push(fieldError.invalid(policyPath, policy, detail));
  }
  return errors;
}

function validateAuthority(pem: string, path: string): FieldError[] {
  const problem = pem === '' ? undefined : authorityProblem(pem);
  return problem === undefined ? [] : [fieldError.invalid(path, '<omitted>', problem)];
}

function authorityProblem(pem: string): string | undefined {
  try {
    const hasCertificates = pemCertificates(pem).length > 0;
    return hasCertificates ? undefined : 'data does not contain any valid RSA or ECDSA certificates';
  } catch {
    return MALFORMED;
  }
}
