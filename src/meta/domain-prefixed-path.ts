import { type FieldError, fieldError } from './field-error.js';
import { dns1123Subdomain } from './names.js';

const HTTP_PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;
const HTTP_PATH_TEXT = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/** Returns the errors of a path that begins with a domain: `acme.io/foo`. */
export function domainPrefixedPath(path: string, value: string): FieldError[] {
  if (value === '') return [fieldError.required(path)];
  const slash = value.indexOf('/');
  const [domain, rest] = slash < 0 ? ['', ''] : [value.slice(0, slash), value.slice(slash + 1)];
  if (domain === '' || rest === '')
    return [fieldError.invalid(path, value, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  return [
    ...dns1123Subdomain(domain).map((message) => fieldError.invalid(path, domain, message)),
    ...(HTTP_PATH.test(rest) ? [] : [fieldError.invalid(path, rest, HTTP_PATH_TEXT)]),
  ];
}
