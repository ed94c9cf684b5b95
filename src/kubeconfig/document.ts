import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.js';
import { messageOf } from '../values/message-of.js';
import { KubeconfigError } from './kubeconfig.js';

/**
 * The names of the lists in a kubeconfig, by the member that holds an entry's content: each entry of `clusters` has the members `name` and
 * `cluster`.
 */
const LISTS = { cluster: 'clusters', context: 'contexts', user: 'users' } as const;
export type ListedKind = keyof typeof LISTS;

/** Parses a kubeconfig in YAML. @throws KubeconfigError for a document that is not an object, and for two entries with the same name. */
export async function parseKubeconfig(text: string): Promise<JsonObject> {
  const { parse } = await import('yaml');
  let document: unknown;
  try {
    document = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new KubeconfigError(`the kubeconfig is not valid YAML: ${messageOf(error)}`);
  }
  if (!isJsonObject(document)) throw new KubeconfigError('the kubeconfig is not an object');
  for (const kind of Object.keys(LISTS) as ListedKind[]) {
    const names = new Set<JsonValue | undefined>();
    for (const entry of entriesOf(document, kind)) {
      const name = member(entry, 'name');
      if (names.has(name)) throw new KubeconfigError(`the kubeconfig has the ${kind} "${String(name)}" twice`);
      names.add(name);
    }
  }
  return document;
}

/** Merges several kubeconfigs. For each value and each named entry, the first document that has it takes precedence. */
export function mergeKubeconfigs(documents: readonly JsonObject[]): JsonObject {
  const merged: Record<string, JsonValue | undefined> = {};
  for (const document of documents) {
    for (const [name, value] of Object.entries(document))
      if (merged[name] === undefined || merged[name] === null || merged[name] === '') merged[name] = value;
  }
  for (const [kind, list] of Object.entries(LISTS)) {
    const byName = new Map<JsonValue | undefined, JsonObject>();
    for (const entry of documents.flatMap((document) => entriesOf(document, kind as ListedKind))) {
      const name = member(entry, 'name');
      if (!byName.has(name)) byName.set(name, entry);
    }
    merged[list] = [...byName.values()];
  }
  return merged;
}

/** Members that contain paths. */
const PATHS: Readonly<Partial<Record<ListedKind, readonly string[]>>> = {
  cluster: ['certificate-authority'],
  user: ['client-certificate', 'client-key', 'tokenFile'],
};

/** Returns a kubeconfig with its paths replaced by `resolve`, and the commands of plug-ins by `resolveCommand`. */
export function resolvePaths(
  document: JsonObject,
  resolve: (path: string) => string,
  resolveCommand: (command: string) => string,
): JsonObject {
  const resolved: Record<string, JsonValue | undefined> = { ...document };
  for (const [kind, paths] of Object.entries(PATHS)) {
    resolved[LISTS[kind as ListedKind]] = entriesOf(document, kind as ListedKind).map((entry) => {
      const value = member(entry, kind);
      if (!isJsonObject(value)) return entry;
      const next: Record<string, JsonValue | undefined> = { ...value };
      for (const name of paths) {
        const path = member(value, name);
        if (typeof path === 'string' && path !== '') next[name] = resolve(path);
      }
      const exec = member(value, 'exec');
      if (isJsonObject(exec) && typeof exec['command'] === 'string')
        next['exec'] = { ...exec, command: resolveCommand(exec['command']) };
      return { ...entry, [kind]: next };
    });
  }
  return resolved;
}

/** Returns the entry with a name in `clusters`, `users` or `contexts`. @throws KubeconfigError when there is no such entry. */
export function findNamed(document: JsonObject, kind: ListedKind, name: string): JsonObject {
  const entry = entriesOf(document, kind).find((each) => member(each, 'name') === name);
  if (!entry) throw new KubeconfigError(`the kubeconfig has no ${kind} "${name}"`);
  const value = member(entry, kind);
  if (isJsonObject(value)) return value;
  throw new KubeconfigError(`${kind} "${name}" is empty`);
}

/** Returns all entries of a list by name. @throws KubeconfigError for an empty entry. */
export function findAllNamed(document: JsonObject, kind: ListedKind): ReadonlyMap<string, JsonObject> {
  const names = entriesOf(document, kind).map((entry) => member(entry, 'name'));
  const texts = names.filter((name) => typeof name === 'string');
  return new Map(texts.map((name) => [name, findNamed(document, kind, name)]));
}

function entriesOf(document: JsonObject, kind: ListedKind): readonly JsonObject[] {
  const list = member(document, LISTS[kind]);
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

export function member(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/** Returns a string member, or undefined when it is absent. @throws KubeconfigError for a member that is not a string. */
export function textAt(object: JsonObject, name: string, where: string): string | undefined {
  const value = member(object, name);
  if (value !== undefined && typeof value !== 'string') throw new KubeconfigError(`${where}: ${name} must be a string`);
  return value;
}

/** Returns a member that is a list of strings, or [] when it is absent. @throws KubeconfigError for any other type. */
export function textsAt(object: JsonObject, name: string, where: string): readonly string[] {
  const value = member(object, name) ?? [];
  const isTexts = (list: JsonValue): list is string[] =>
    Array.isArray(list) && list.every((each) => typeof each === 'string');
  if (!isTexts(value)) throw new KubeconfigError(`${where}: ${name} must be a list of strings`);
  return value;
}

export function required(value: string | undefined, where: string, name: string): string {
  if (value === undefined || value === '') throw new KubeconfigError(`${where} has no ${name}`);
  return value;
}
