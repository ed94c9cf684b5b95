// Replays recorded patches: the case files run against a substitute for a server that can only apply patches.

import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.js';
import { type ApiError, isApiError } from '../../src/meta/api-error.js';
import { applyJsonPatch, decodeJsonPatch } from '../../src/patch/json-patch.js';
import { BUILTIN_PATCH_KINDS, patchKindOf } from '../../src/patch/media-types.js';
import { applyMergePatch, decodeMergePatch } from '../../src/patch/merge-patch.js';
import { patchedText } from '../../src/patch/patched-text.js';
import { plainText } from '../../src/patch/plain-text.js';
import { applyStrategicMergePatch, decodeStrategicMergePatch } from '../../src/patch/strategic-merge-patch.js';
import { hasSharedData, readShared, sharedUrl } from '../support/shared-data.js';
import { frozen } from './frozen.js';
import { schemas } from './strategic-schema.js';

interface Step {
  readonly step: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}
interface Options {
  readonly title?: string;
  readonly type?: string;
  readonly keep?: (body: JsonObject) => JsonValue;
  readonly body?: JsonObject;
}
const KINDS: Readonly<Record<string, keyof typeof schemas>> = {
  configmaps: 'ConfigMap',
  serviceaccounts: 'ServiceAccount',
};
/** Fields of metadata that the substitute cannot know. */
const OWN_FIELDS = ['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'namespace'];

class StandIn {
  readonly #golden: readonly Step[];
  readonly #objects = new Map<string, JsonObject>();
  readonly checked: string[] = [];
  #uids = 0;

  constructor(golden: readonly Step[]) {
    this.#golden = golden;
  }
  ns = async () => 'n';
  note = () => undefined;
  delete = () => undefined;
  get = async () => ({ status: 200 });
  quiet = async (_method: string, path: string, options: Options) => this.post(path, options.body ?? {});

  async post(path: string, body: JsonObject, _options?: Options) {
    const collection = path.split('/').at(-1) ?? '';
    const given = isJsonObject(body['metadata']) ? body['metadata'] : {};
    const metadata = { ...given, uid: `<uid#${++this.#uids}>` };
    const made = stored({ apiVersion: 'v1', kind: KINDS[collection] ?? '', ...body, metadata });
    this.#objects.set(`${path}/${String(given['name'])}`, frozen(made));
    return { json: made, status: 201 };
  }

  async patch(url: string, body: JsonValue, options: Options) {
    const golden = this.#golden.find(({ step }) => step === options.title);
    const path = url.split('?', 1)[0] ?? '';
    const level = url.includes('Strict') ? 'Strict' : url.includes('Ignore') ? 'Ignore' : 'Warn';
    const current = this.#objects.get(path);
    if (golden === undefined || current === undefined) throw new Error(`no recorded step ${options.title}`);
    const document = readable(body);
    // The reader refuses text that is not JSON, and is not part of this test.
    if (document === undefined) return { json: {} };
    const outcome = this.#apply(current, document, options.type ?? 'application/merge-patch+json', level);
    this.#compare(golden, outcome, current, document, options);
    return { json: {} };
  }

  #apply(current: JsonObject, document: JsonValue, type: string, level: 'Strict' | 'Ignore' | 'Warn') {
    try {
      switch (patchKindOf(type, BUILTIN_PATCH_KINDS)) {
        case 'json': {
          const patch = decodeJsonPatch(document, level);
          return { next: applyJsonPatch(current, patch), problems: patch.problems };
        }
        case 'merge':
          return { next: applyMergePatch(current, decodeMergePatch(document, level)), problems: [] };
        default: {
          const schema = schemas[current['kind'] === 'ConfigMap' ? 'ConfigMap' : 'ServiceAccount'];
          return { next: applyStrategicMergePatch(current, decodeStrategicMergePatch(document), schema), problems: [] };
        }
      }
    } catch (error) {
      if (isApiError(error)) return error;
      throw error;
    }
  }

  #compare(
    golden: Step,
    outcome: ApiError | { readonly next: JsonValue; readonly problems: readonly string[] },
    current: JsonObject,
    patch: JsonValue,
    options: Options,
  ) {
    this.checked.push(golden.step);
    if (isApiError(outcome)) {
      expect(outcome.status, golden.step).toEqual(golden.body);
      return;
    }
    for (const problem of outcome.problems) {
      // The first of these errors is reported in the header, or by strict validation.
      const told = `${golden.headers?.['warning'] ?? ''}${JSON.stringify(golden.body)}`.replaceAll('\\', '');
      expect(told, golden.step).toContain(problem);
    }
    if (golden.status === 422) this.#compareUndecodable(golden, outcome.next, current, patch, options);
    // Later validation (names, kinds) refuses the patched object.
    if (golden.status !== 200) return;
    expect(isJsonObject(outcome.next), golden.step).toBe(true);
    const next = stored(isJsonObject(outcome.next) ? outcome.next : {});
    const kept = (object: JsonObject) => contentOf(options.keep?.(object) ?? object);
    const wanted = isJsonObject(golden.body) && golden.body['kind'] !== undefined ? stored(golden.body) : golden.body;
    expect(kept(next), golden.step).toEqual(contentOf(wanted));
    const path = [...this.#objects.entries()].find(([, object]) => object === current)?.[0] ?? '';
    this.#objects.set(path, frozen(next));
  }

  /** The text that quotes an undecodable value. Its beginning does not depend on the decoder. */
  #compareUndecodable(golden: Step, next: JsonValue, current: JsonObject, patch: JsonValue, options: Options) {
    const message = isJsonObject(golden.body) ? String(golden.body['message']) : '';
    if (!message.startsWith(' "" is invalid: patch: ')) return;
    const quoted = (/Invalid value: ("(?:[^"\\]|\\.)*")/.exec(message)?.[1] ?? '').replace(/<rv>/g, '1');
    const strategic = options.type?.includes('strategic') === true;
    const text = JSON.parse(quoted) as string;
    if (strategic) expect(plainText(patch), golden.step).toBe(text);
    else expect(withoutOwnFields(patchedText(next, current, patch)), golden.step).toBe(withoutOwnFields(text));
  }
}

function readable(body: JsonValue): JsonValue | undefined {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Decodes an object of these two kinds. */
function stored(object: JsonObject): JsonObject {
  const names = (list: JsonValue | undefined) =>
    Array.isArray(list) ? list.map((each: JsonValue) => (isJsonObject(each) ? pick(each, ['name']) : {})) : undefined;
  const data = isJsonObject(object['data'])
    ? Object.fromEntries(
        Object.entries(object['data'])
          .map(([key, value = null]): readonly [string, JsonValue] => [key, value ?? ''])
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      )
    : undefined;
  const secrets = names(object['secrets']);
  const known = pick(object, ['metadata', 'binaryData', 'imagePullSecrets', 'automountServiceAccountToken']);
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return {
    apiVersion: 'v1',
    kind: object['data'] !== undefined || object['kind'] === 'ConfigMap' ? 'ConfigMap' : 'ServiceAccount',
    ...withoutEmpty({ ...known, ...(data ? { data } : {}), ...(secrets ? { secrets } : {}) }),
    metadata: withoutEmpty(metadata),
  };
}
const pick = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
const withoutEmpty = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter(
      ([, value = null]) => value !== null && (typeof value !== 'object' || Object.keys(value).length > 0),
    ),
  );

/** Removes the values that only a server can know. The uids of owners are distinguished by their names. */
function contentOf(value: JsonValue): JsonValue {
  return JSON.parse(
    JSON.stringify(value, (name, each: JsonValue) => (OWN_FIELDS.includes(name) ? undefined : each)),
  ) as JsonValue;
}
/** Does the same for the text of a patched object; the order of the remaining members is kept. */
const withoutOwnFields = (text: string) => JSON.stringify(contentOf(JSON.parse(text) as JsonValue));

describe.skipIf(!hasSharedData)('recorded patches', () => {
  it.each([
    ['json-operations', 20],
    ['json-quirks', 20],
    ['json-failures', 25],
    ['merge', 20],
    ['strategic-lists', 27],
    ['strategic-maps', 20],
  ])('%s', async (name, atLeast) => {
    const { steps } = readShared<{ readonly steps: readonly Step[] }>(`conformance/golden/patch/${name}.json`, {
      steps: [],
    });
    const scenario = (await import(sharedUrl(`conformance/cases/patch/${name}.mjs`).href)) as {
      readonly default: (t: StandIn) => Promise<void>;
    };
    const standIn = new StandIn(steps);
    await scenario.default(standIn);
    expect(standIn.checked.length).toBeGreaterThanOrEqual(atLeast);
  });
});
