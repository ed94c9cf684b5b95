import { escapedPath, parseUri, queryValues, type Uri } from '../../../values/uri.js';
import { urlEstimates } from '../../cost/library-estimates.js';
import { BOOL, listOf, mapOf, opaque, STRING, type Type } from '../../typing/type.js';
import { byPackage } from '../../typing/type-package.js';
import { ArrayList } from '../../values/lists.js';
import { MapBuilder } from '../../values/maps.js';
import { EvaluationError, ObjectValue, type Outcome, type Value } from '../../values/value.js';
import { global, libraryOf, member } from '../declare.js';
import type { Library } from '../library.js';
import { reading } from '../standard.js';

class UrlValue extends ObjectValue {
  readonly uri: Uri;
  readonly text: string;
  readonly type: Type;
  constructor(uri: Uri, text: string, type: Type) {
    super();
    this.uri = uri;
    this.text = text;
    this.type = type;
  }
  /** The text with the scheme in lower case, as upstream writes it. */
  private get normalized(): string {
    return this.uri.scheme + this.text.slice(this.uri.scheme.length);
  }
  equals(other: Value): boolean | undefined {
    return other instanceof UrlValue ? other.normalized === this.normalized : undefined;
  }
}

function parse(text: string, type: Type): Outcome {
  const uri = parseUri(text);
  return typeof uri === 'string'
    ? new EvaluationError(`URL parse error during conversion from string: ${uri}`)
    : new UrlValue(uri, text, type);
}

const PORT = /:(\d*)$/;
const hostname = (host: string): string => host.replace(PORT, '').replace(/^\[(.*)\]$/s, '$1');

function query({ uri }: UrlValue): Outcome {
  const builder = new MapBuilder();
  for (const [name, values] of queryValues(uri.query)) builder.add(name, new ArrayList(values));
  return builder.done();
}

const COST = reading(1);
/** Returns the library of URLs: `url('https://example.com/a').getHost()`. */
export const urlsIn = byPackage((typePackage): Library => {
  const type = opaque(`${typePackage}.URL`);
  const part = (name: string, id: string, read: (uri: Uri) => string) =>
    member(name, id, [type], STRING, ({ uri }: UrlValue) => read(uri));
  return libraryOf(
    () => [
      global('url', 'string_to_url', [STRING], type, (text: string) => parse(text, type), COST),
      global('isURL', 'is_url_string', [STRING], BOOL, (text: string) => typeof parseUri(text) !== 'string'),
      part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
      part('getHost', 'url_get_host', ({ host }) => host),
      part('getHostname', 'url_get_hostname', ({ host }) => hostname(host)),
      part('getPort', 'url_get_port', ({ host }) => PORT.exec(host)?.[1] ?? ''),
      part('getEscapedPath', 'url_get_escaped_path', escapedPath),
      member('getQuery', 'url_get_query', [type], mapOf(STRING, listOf(STRING)), query),
    ],
    { name: 'urls', estimates: urlEstimates },
  );
});
/** The library of URLs with upstream's package of types. */
export const urls: Library = urlsIn();
