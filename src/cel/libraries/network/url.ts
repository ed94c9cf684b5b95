import type { OverloadCost } from '../../cost/cost.js';
import { urlEstimates } from '../../cost/library-estimates.js';
import { BOOL, listOf, mapOf, opaque, STRING, type Type } from '../../typing/type.js';
import { ArrayList } from '../../values/lists.js';
import { MapBuilder } from '../../values/maps.js';
import { costSize } from '../../values/size.js';
import { EvaluationError, ObjectValue, type Outcome, type Value } from '../../values/value.js';
import { global, libraryOf, member } from '../declare.js';
import type { Library } from '../library.js';
import { traversal } from '../standard.js';
import { escapedPath, parseUri, queryValues, type Uri } from './uri.js';

const URL_TYPE: Type = opaque('kubernetes.URL');

class UrlValue extends ObjectValue {
  readonly uri: Uri;
  readonly text: string;
  constructor(uri: Uri, text: string) {
    super();
    this.uri = uri;
    this.text = text;
  }
  get type(): Type {
    return URL_TYPE;
  }
  equals(other: Value): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

function parse(text: string): Outcome {
  const uri = parseUri(text);
  return typeof uri === 'string'
    ? new EvaluationError(`URL parse error during conversion from string: ${uri}`)
    : new UrlValue(uri, text);
}

const PORT = /:(\d*)$/;
const hostname = (host: string): string => host.replace(PORT, '').replace(/^\[|\]$/g, '');

function query({ uri }: UrlValue): Outcome {
  const builder = new MapBuilder();
  for (const [name, values] of queryValues(uri.query)) builder.add(name, new ArrayList(values));
  return builder.done();
}

const COST: OverloadCost = { actual: ([text]) => traversal(costSize(text as Outcome)) };
const part = (name: string, id: string, read: (uri: Uri) => string) =>
  member(name, id, [URL_TYPE], STRING, ({ uri }: UrlValue) => read(uri));

/** URLs: `url('https://example.com/a').getHost()`. */
export const urls: Library = libraryOf(
  () => [
    global('url', 'string_to_url', [STRING], URL_TYPE, parse, COST),
    global('isURL', 'is_url_string', [STRING], BOOL, (text: string) => typeof parseUri(text) !== 'string'),
    part('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
    part('getHost', 'url_get_host', ({ host }) => host),
    part('getHostname', 'url_get_hostname', ({ host }) => hostname(host)),
    part('getPort', 'url_get_port', ({ host }) => PORT.exec(host)?.[1] ?? ''),
    part('getEscapedPath', 'url_get_escaped_path', escapedPath),
    member('getQuery', 'url_get_query', [URL_TYPE], mapOf(STRING, listOf(STRING)), query),
  ],
  { name: 'urls', types: [URL_TYPE], estimates: urlEstimates },
);
