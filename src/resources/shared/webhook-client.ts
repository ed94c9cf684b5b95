import { type FieldError, fieldError } from '../../meta/field-error.js';
import { dns1123Subdomain } from '../../meta/names.js';
import { parseReference } from '../../values/uri.js';

const FORM = '; desired format: https://host[/path]';

/** Returns the validation errors of a webhook's URL: it must be https, and have nothing but a host and a path. */
export function webhookUrlProblems(path: string, text: string): FieldError[] {
  const url = parseReference(text);
  if (typeof url === 'string') return [fieldError.required(path, `url must be a valid URL: ${url}${FORM}`)];
  const { user, query, fragment = '' } = url;
  const errors: FieldError[] = [];
  const wrong = (value: string, why: string) => void errors.push(fieldError.invalid(path, value, why));
  if (url.scheme !== 'https') wrong(url.scheme, `'https' is the only allowed URL scheme${FORM}`);
  if (url.host === '') wrong('', `host must be specified${FORM}`);
  if (user !== undefined) wrong(user, 'user information is not permitted in the URL');
  if (fragment !== '') wrong(fragment, 'fragments are not permitted in the URL');
  if (query !== '') wrong(query, 'query parameters are not permitted in the URL');
  return errors;
}

/** The Service of a webhook. */
interface WebhookService {
  readonly name: string;
  readonly namespace: string;
  readonly path?: string | undefined;
  readonly port?: number | undefined;
}

/** Returns the validation errors of a webhook's Service. */
export function webhookServiceProblems(at: string, service: WebhookService): FieldError[] {
  const { name, namespace, path = '', port = 443 } = service;
  const errors: FieldError[] = [];
  // As in upstream, which passes the two in the wrong order, a missing namespace is reported as a missing name and the other way round.
  if (namespace === '') errors.push(fieldError.required(`${at}.name`, 'service name is required'));
  if (name === '') errors.push(fieldError.required(`${at}.namespace`, 'service namespace is required'));
  if (port < 1 || port > 65_535)
    errors.push(fieldError.invalid(`${at}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive'));
  if (path === '' || path === '/') return errors;
  const wrong = (why: string) => void errors.push(fieldError.invalid(`${at}.path`, path, why));
  if (path === '//') {
    wrong('segment[0] may not be empty');
    return errors;
  }
  if (!path.startsWith('/')) wrong("must start with a '/'");
  // Upstream skips the first byte, which is usually the slash. The remaining bytes of a longer character are invalid, so such a character
  // is not skipped here.
  const segments = path.slice(path.charCodeAt(0) < 128 ? 1 : 0, path.endsWith('/') ? -1 : undefined).split('/');
  segments.forEach((segment, i) => {
    if (segment === '') wrong(`segment[${i}] may not be empty`);
    else for (const problem of dns1123Subdomain(segment)) wrong(`segment[${i}]: ${problem}`);
  });
  return errors;
}
