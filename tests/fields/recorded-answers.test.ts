import { describe, expect, it } from 'vitest';
import { trackOwnership } from '../../src/fields/field-manager.js';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { isJsonObject } from '../../src/json/value.js';
import { isApiError } from '../../src/meta/api-error.js';
import { k8s } from '../../src/meta/dialect.js';
import { managerName } from '../../src/meta/manager-name.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { deepFreeze } from '../../src/store/freeze.js';
import { applyOwnership } from '../support/apply-ownership.js';
import { hasSharedData, readShared, sharedUrl } from '../support/shared-data.js';
import { configMap, namespace, pod, role, roleBinding, serviceAccount } from './kinds.js';

// Runs recorded sessions of a server against field ownership alone, with a map of objects in place of the rest of the server. The owners,
// conflicts and type errors of every step are compared, as far as such a server can compute them.

interface Kind {
  schema: ObjectSchema;
  resetFields?: string[];
  statusResetFields?: string[];
}
const KINDS: Record<string, Kind> = {
  configmaps: { schema: configMap },
  serviceaccounts: { schema: serviceAccount },
  roles: { schema: role },
  clusterroles: { schema: role },
  rolebindings: { schema: roleBinding },
  pods: { schema: pod, resetFields: ['status'] },
  namespaces: { schema: namespace, resetFields: ['status'], statusResetFields: ['spec'] },
};

interface Options {
  manager?: string;
  force?: boolean;
  title?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  type?: string;
  body?: JsonValue;
}
interface Answer {
  /** The expected response; absent if the session only records a note. */
  status?: number;
  body: JsonValue;
}

/** Steps whose responses depend on other parts of the server (decoding, names, admission, validation), by file. */
const ELSEWHERE: Record<string, RegExp> = {
  lifecycle: /null for a label|dry run|^GET|^DELETE|version moved/,
  lists: /^owners$/,
  updates: /too long|line break|DELETE/,
  subresources: /create with spec|merge patch of status|^GET|the name label|finalize|missing object/,
  'bad-requests': /fieldManager|resourceVersion|uid|name|namespace|body|^a list|string|^null$|YAML|force|collection/,
  atomic: /immutable|left out|not valid/,
  pod: /refused|without a name/,
  conflicts: /^$/,
};
const FILES = [
  'atomic',
  'bad-requests',
  'conflicts',
  'lifecycle',
  'lists',
  'many-managers',
  'pod',
  'reset',
  'shared',
  'subresources',
  'updates',
];

describe.skipIf(!hasSharedData)('recorded sessions', () => {
  for (const file of FILES) {
    it(file, async () => {
      const { default: session } = await import(
        /* @vite-ignore */ sharedUrl(`conformance/cases/apply/${file}.mjs`).href
      );
      const recorded = new Map<string, Answer>(
        readShared(`conformance/golden/apply/${file}.json`).steps.map((s: { step: string }) => [s.step, s]),
      );
      const isElsewhere = (title: string) => ELSEWHERE[file]?.test(title) === true;
      const server = new Server((title) => isElsewhere(title) && (recorded.get(title)?.status ?? 200) >= 400);
      await session(server.tools());
      let compared = 0;
      for (const { title, answer } of server.steps) {
        const step = recorded.get(title);
        if (step === undefined || isElsewhere(title)) continue;
        expect(essence(answer), title).toEqual(essence(step));
        compared++;
      }
      expect(compared).toBeGreaterThan(2);
    });
  }
});

/** Returns the parts of a response that ownership determines. */
function essence({ status = 200, body }: Answer): unknown {
  if (!isJsonObject(body)) return body;
  if (status >= 400)
    return { status, message: mask(body['message']), causes: mask((body['details'] as JsonObject)?.['causes']) };
  const metadata = body['metadata'] as ApiObject['metadata'];
  const { 'kubernetes.io/metadata.name': _, ...labels } = metadata?.labels ?? {}; // the one is set elsewhere
  const { finalizers, managedFields } = metadata ?? {};
  const owners = (managedFields ?? []).map(({ time, ...entry }) => ({ ...entry, hasTime: time !== undefined }));
  const { data = null, secrets = null, imagePullSecrets = null, rules = null } = body;
  return mask({
    labels,
    finalizers: finalizers ?? null,
    data,
    secrets,
    imagePullSecrets,
    rules,
    owners: sortEntries(owners),
  } as unknown as JsonValue);
}
// The records were sorted when they were stored, and generated names were masked.
function sortEntries<T extends object>(entries: T[]): T[] {
  const idOf = (entry: object) =>
    ['operation', 'subresource', 'manager', 'apiVersion'].map((x) => Reflect.get(entry, x)).join('|');
  return [...entries].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}
function mask(value: JsonValue | undefined): JsonValue {
  const text = JSON.stringify(value ?? null)
    .replaceAll(/<uid#2>|uid-u1/g, 'UID1')
    .replaceAll(/<uid#3>|uid-u2/g, 'UID2');
  return JSON.parse(text);
}

class Server {
  readonly steps: { title: string; answer: Answer }[] = [];
  readonly #objects = new Map<string, ApiObject>();
  readonly #isRefused: (title: string) => boolean;
  #now = Date.UTC(2024, 0, 1);

  /** `isRefused`: steps that other parts of a server refuse, so that they have no effect. */
  constructor(isRefused: (title: string) => boolean) {
    this.#isRefused = isRefused;
  }

  tools(): object {
    const step = async (title: string, keep: ((body: JsonValue) => JsonValue) | undefined, answer: Answer) => {
      this.steps.push({ title, answer: keep ? { ...answer, body: keep(answer.body) } : answer });
      return { status: answer.status, json: answer.body };
    };
    type WithKeep = Options & { keep?: (body: JsonValue) => JsonValue };
    const run =
      (method: string) =>
      (path: string, body: JsonValue, options: WithKeep = {}) => {
        const title = options.title ?? `${method} ${path}`;
        const refused = this.#isRefused(title);
        return step(
          title,
          options.keep,
          refused ? { status: 400, body: {} } : this.#answer(method, path, { ...options, body }),
        );
      };
    return {
      byManager: (body: JsonValue) => body,
      ns: async () => 'ns',
      name: (name: string) => name,
      later: (path: string) => path,
      note: (title: string, body: JsonValue) => void this.steps.push({ title, answer: { body } }),
      post: run('POST'),
      put: run('PUT'),
      patch: run('PATCH'),
      apply: (path: string, body: JsonValue, options: WithKeep = {}) =>
        run('PATCH')(path, body, { manager: 'tester', type: 'application/apply-patch+yaml', ...options }),
      get: (path: string, options: WithKeep = {}) => run('GET')(path, null, options),
      delete: (path: string, options: WithKeep = {}) => run('DELETE')(path, null, options),
      quiet: async (method: string, path: string, options: Options) => {
        const { status, body } = this.#answer(method, path, options);
        const json = isJsonObject(body)
          ? {
              ...body,
              metadata: {
                uid: `uid-${(body['metadata'] as JsonObject)?.['name']}`,
                ...(body['metadata'] as JsonObject),
              },
            }
          : body;
        return { status, json };
      },
    };
  }

  #answer(method: string, url: string, options: Options): Answer {
    try {
      return this.#write(method, url, options);
    } catch (error) {
      if (!isApiError(error)) throw error;
      return { status: error.code, body: error.status as unknown as JsonObject };
    }
  }

  #write(method: string, url: string, { body, type, manager, force, headers, query }: Options): Answer {
    this.#now += 1000;
    const { pathname, searchParams } = new URL(url, 'http://server');
    const segments = pathname.split('/');
    const subresource = ['status', 'finalize'].includes(segments.at(-1) ?? '') ? (segments.pop() ?? '') : '';
    const named = KINDS[segments.at(-1) ?? ''] === undefined;
    const resource = KINDS[segments.at(named ? -2 : -1) ?? ''];
    if (resource === undefined) throw new Error(pathname);
    const given = (isJsonObject(body) ? body : {}) as JsonObject;
    const name = named ? segments.join('/') : `${segments.join('/')}/${(given['metadata'] as JsonObject)?.['name']}`;
    const live = this.#objects.get(name);
    if (method === 'DELETE') this.#objects.delete(name);
    if (method === 'GET' || method === 'DELETE') return { status: 200, body: (live ?? null) as unknown as JsonValue };
    const isApply = type === 'application/apply-patch+yaml';
    const common = {
      schema: resource.schema,
      manager: managerName(
        manager ?? searchParams.get('fieldManager') ?? undefined,
        headers?.['user-agent'] ?? 'conformance',
      ),
      apiVersion: String(live?.apiVersion ?? given['apiVersion'] ?? 'v1'),
      subresource,
      now: this.#now,
      resetFields: (subresource === '' ? resource.resetFields : resource.statusResetFields) ?? [],
    };
    const keep = (next: ApiObject): Answer => {
      const stored = deepFreeze(tidy(next as unknown as JsonValue) as unknown as ApiObject);
      if (!query?.['dryRun']) this.#objects.set(name, stored);
      return { status: live === undefined ? 201 : 200, body: stored as unknown as JsonValue };
    };
    if (isApply) {
      const isKind = live?.kind ?? String(given['kind']);
      return keep(
        applyOwnership({
          ...common,
          live,
          kind: isKind,
          applied: given,
          force: force ?? isTrue(query?.['force'] ?? searchParams.get('force')),
        }),
      );
    }
    const typed = { apiVersion: common.apiVersion, kind: live?.kind ?? 'ConfigMap' };
    const next = method === 'PATCH' ? mergePatch(live as unknown as JsonObject, given) : { ...typed, ...given };
    return keep(trackOwnership({ ...common, live, next: next as unknown as ApiObject, rulings: k8s.rulings }));
  }
}

/** A parameter without a value is true, as in a server. */
function isTrue(parameter: string | null): boolean {
  return parameter !== null && !['false', '0'].includes(parameter);
}

function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const merged: Record<string, JsonValue> = isJsonObject(target) ? ({ ...target } as Record<string, JsonValue>) : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

/** Encodes and decodes an object, which drops empty optional values. */
function tidy(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name, x]) => {
    if (name === 'managedFields' || name === 'fieldsV1') return true;
    return (
      x !== undefined &&
      x !== null &&
      !(Array.isArray(x) && x.length === 0) &&
      !(isJsonObject(x) && Object.keys(x).length === 0)
    );
  });
  return Object.fromEntries(
    members.map(([name, x]) => [name, name === 'managedFields' ? (x ?? null) : tidy(x ?? null)]),
  );
}
