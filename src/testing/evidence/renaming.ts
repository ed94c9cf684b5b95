import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import type { ObjectMeta } from '../../meta/object-meta.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** Members of which each server has its own values. */
const OWN = new Set(['uid', 'resourceVersion', 'continue']);

/** What an object of a recording is called on the server that the recording is sent to: its uid, its versions, its generated name. */
export class Renaming {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  readonly #names = new Map<string, string>();

  /** Learns from two answers to the same request. */
  learn(recorded: { readonly metadata?: ObjectMeta } | undefined, own: JsonObject | undefined): void {
    const { metadata = {} } = recorded ?? {};
    const ofOwn = own?.['metadata'];
    if (!isJsonObject(ofOwn)) return;
    const pairs = [
      [this.#uids, metadata.uid, ofOwn['uid']],
      [this.#versions, metadata.resourceVersion, ofOwn['resourceVersion']],
      ...(metadata.generateName ? [[this.#names, metadata.name, ofOwn['name']] as const] : []),
    ] as const;
    for (const [names, from, to] of pairs) if (from !== undefined && typeof to === 'string') names.set(from, to);
  }

  ofPath(path: string): string {
    return path
      .split('/')
      .map((segment) => this.#names.get(segment) ?? segment)
      .join('/');
  }

  ofQuery(query: string): string {
    return query.replace(/(^|&)(resourceVersion=)(\d+)/, (_, before: string, name: string, version: string) =>
      [before, name, this.#versions.get(version) ?? version].join(''),
    );
  }

  ofBody(body: JsonValue): JsonValue {
    return replaced(body, (member, text, holder) => {
      const isVersion = member === 'resourceVersion' || holder['path'] === '/metadata/resourceVersion';
      if (isVersion) return this.#versions.get(text) ?? text;
      if (member === 'name') return this.#names.get(text) ?? text;
      return this.#uids.get(text) ?? text;
    });
  }

  /** Returns an object without the values that differ from server to server. */
  hidden(object: JsonObject): JsonObject {
    const generated = new Set([...this.#names].flat());
    const hide = (member: string, text: string) =>
      OWN.has(member) ? `<${member}>` : TIME.test(text) ? '<time>' : generated.has(text) ? '<name>' : text;
    return replaced(object, hide) as JsonObject; // the texts in it are replaced, and nothing else
  }
}

/** Returns a value with other texts. Names of members stay; `holder` is the object that has the member. */
function replaced(
  value: JsonValue,
  replace: (member: string, text: string, holder: JsonObject) => string,
  member = '',
  holder: JsonObject = {},
): JsonValue {
  if (typeof value === 'string') return replace(member, value, holder);
  if (Array.isArray(value)) return value.map((each) => replaced(each, replace, member, holder));
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [
    name,
    each === undefined ? each : replaced(each, replace, name, value),
  ]);
  return Object.fromEntries(members) as JsonObject;
}
