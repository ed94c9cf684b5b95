import type { JsonObject, JsonValue } from '../../../src/json/value.js';
import type { Sample } from '../bodies/mutation-bodies.js';

export type Random = (below: number) => number;

/** A request whose parts fit together most of the time. */
export interface RandomRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: JsonValue | undefined;
  /** Whether the request must not write anything, because it is a dry run. */
  readonly isDryRun: boolean;
}

export const NAMESPACES = ['default', 'other'] as const;
const NAMES = ['sample', 'sample', 'sample', 'b', 'x.y'];
const JSON_TYPE = 'application/json';
const PATCHES = [
  'application/merge-patch+json',
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
];
const AS = (kind: string) => `application/json;as=${kind};v=v1;g=meta.k8s.io`;
const ACCEPTS = [
  JSON_TYPE,
  JSON_TYPE,
  JSON_TYPE,
  AS('Table'),
  AS('PartialObjectMetadata'),
  AS('PartialObjectMetadataList'),
  'application/vnd.kubernetes.protobuf',
  'application/yaml',
];
const byName = (name: string) => `fieldSelector=metadata.name%3D${name}`;
/** Parameters that some parser could understand in another way than the step that authorizes, or than the handler. */
const PARAMETERS: readonly ((random: Random) => string)[] = [
  () => 'watch=1',
  () => 'watch=0&watch=1',
  () => 'watch=',
  () => `${byName('sample')}&${byName('b')}`,
  () => `fieldSelector=&${byName('b')}`,
  (random) => byName(pick(NAMES, random)),
  (random) => `${byName('sample')},metadata.name%21%3D${pick(NAMES, random)}`,
  (random) => `${byName('sample')},metadata.name%3D${pick(NAMES, random)}`,
  (random) => `fieldSelector=metadata.namespace%3D${pick(NAMESPACES, random)}`,
  () => 'labelSelector=app%3Da',
  () => 'limit=1&limit=x',
  () => 'limit=1',
  () => 'resourceVersion=0',
  () => 'dryRun=All',
  () => '%64ryRun=%41ll',
  () => 'dryRun=&dryRun=All',
  () => 'DryRun=All',
  () => 'fieldManager=m',
  () => 'force=true',
  () => 'includeObject=Object',
  () => 'propagationPolicy=Orphan',
  () => 'gracePeriodSeconds=0',
  () => 'name=b&namespace=other',
  () => '_method=DELETE',
];

export const pick = <T>(all: readonly T[], random: Random): T => all[random(all.length)] as T;

/** Returns a request for an object or a collection of a sample, with some parts replaced by unusual ones. */
export function randomRequest(samples: readonly Sample[], random: Random): RandomRequest {
  const rarely = (oneIn: number) => random(oneIn) === 0;
  const sample = pick(samples, random);
  const namespace = pick(NAMESPACES, random);
  const collection = sample.collection.replace('/namespaces/default/', `/namespaces/${namespace}/`);
  const method = pick(['GET', 'GET', 'POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'], random);
  const name = pick(NAMES, random);
  const isCollection = method === 'POST' ? !rarely(8) : rarely(method === 'GET' ? 2 : 12);
  const subresource = isCollection || rarely(2) ? undefined : pick([...sample.subresources, undefined], random);
  let path = isCollection ? collection : `${collection}/${name}${subresource ? `/${subresource}` : ''}`;
  if (rarely(8)) path = respelled(path, random);
  const parameters: string[] = [];
  while (rarely(3)) parameters.push(pick(PARAMETERS, random)(random));
  const type = method === 'PATCH' ? pick(PATCHES, random) : JSON_TYPE;
  if (type === PATCHES[1]) parameters.push('fieldManager=m', 'force=true');
  const query = parameters.join('&');
  const headers = {
    'content-type': type,
    accept: pick(ACCEPTS, random),
    ...(rarely(10) && { 'x-http-method-override': 'DELETE' }),
    ...(rarely(10) && impersonation(random)),
  };
  const body = bodyOf(sample, { method, type, name, namespace, subresource }, random);
  return { method, path, query, headers, body, isDryRun: isDryRun(method, query, body) };
}

const impersonation = (random: Random) => ({
  'impersonate-user': pick(['alice', 'system:serviceaccount:other:sample', 'system:node:n'], random),
  ...(random(2) && { 'impersonate-group': ['g', 'h'] }),
  ...(random(3) === 0 && { 'impersonate-uid': 'u' }),
  ...(random(3) === 0 && { 'impersonate-extra-a%2Fb': 'v' }),
});

interface Target {
  readonly method: string;
  readonly type: string;
  readonly name: string;
  readonly namespace: string;
  readonly subresource: string | undefined;
}

function bodyOf(sample: Sample, target: Target, random: Random): JsonValue | undefined {
  const { method, type, name, namespace, subresource } = target;
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (method === 'DELETE') return deleteOptions(random);
  if (type === 'application/json-patch+json') {
    const paths = ['/metadata/labels', '/metadata/name', '/metadata/namespace', '/metadata/uid', '/kind', '/spec'];
    const value = pick<JsonValue>([{ q: 'r' }, 'b', 'other', [], null], random);
    return [{ op: 'add', path: pick([...paths, '/status', '/metadata/deletionTimestamp'], random), value }];
  }
  if (subresource === 'eviction') {
    const { deleteOptions: options = {} } = { deleteOptions: deleteOptions(random) };
    return { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions: options };
  }
  const metadata: Record<string, JsonValue> = { ...(sample.body['metadata'] as JsonObject), name };
  const { apiVersion = '', kind = '', ...rest } = sample.body;
  const typeMeta = random(12)
    ? { apiVersion, kind }
    : pick<JsonObject>([{}, { apiVersion: 'v1', kind: 'Secret' }], random);
  for (const [member, value] of [
    ['name', pick(NAMES, random)],
    ['namespace', pick(NAMESPACES, random)],
    ['generateName', 'g-'],
    ['uid', '11111111-1111-1111-1111-111111111111'],
    ['deletionTimestamp', '2020-01-01T00:00:00Z'],
    ['labels', { app: pick(['a', 'b'], random) }],
  ] as const)
    if (random(10) === 0) metadata[member] = value;
  if (metadata['generateName'] && random(2)) delete metadata['name'];
  return { ...typeMeta, metadata, ...rest };
}

function deleteOptions(random: Random): JsonObject | undefined {
  if (random(2)) return undefined;
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(random(3) === 0 && { dryRun: ['All'] }),
    ...(random(3) === 0 && { propagationPolicy: pick(['Orphan', 'Foreground', 'Background'], random) }),
    ...(random(3) === 0 && { gracePeriodSeconds: 0 }),
  };
}

/** Returns whether a request is a dry run. As in upstream, a DELETE with a body ignores the options in the query. */
function isDryRun(method: string, query: string, body: JsonValue | undefined): boolean {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const { dryRun, deleteOptions: options } = (isObject ? body : {}) as { dryRun?: unknown; deleteOptions?: JsonObject };
  if (dryRun !== undefined || options?.['dryRun'] !== undefined) return true;
  return !(method === 'DELETE' && isObject) && /(?:^|&)(?:dryRun=All|%64ryRun=%41ll)(?:&|$)/.test(query);
}

/** Returns a path with one segment written in another way, added, moved or left out. */
function respelled(path: string, random: Random): string {
  const segments = path.split('/');
  const at = 1 + random(segments.length - 1);
  const segment = segments[at] ?? '';
  const escaped = [...segment].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
  const insert = (...added: readonly string[]) => segments.toSpliced(at, 0, ...added).join('/');
  const replace = (text: string) => segments.with(at, text).join('/');
  switch (random(14)) {
    case 0:
      return `${path}/`;
    case 1:
      return `${path}//`;
    case 2:
      return insert('');
    case 3:
      return insert('.');
    case 4:
      return insert('a', '..');
    case 5:
      return replace(escaped);
    case 6:
      return `${segments.slice(0, at).join('/')}%2f${segments.slice(at).join('/')}`;
    case 7:
      return replace(segment.toUpperCase());
    case 8:
      return insert(pick(['watch', 'proxy'], random));
    case 9:
      return insert('namespaces', pick(NAMESPACES, random));
    case 10:
      return segments.toSpliced(at, 1).join('/');
    case 11:
      return path + pick([';a=b', '%00', '%20', '%3f', '%', '\\'], random);
    case 12:
      return `${path}/${pick(['status', 'scale', 'exec', 'log', 'proxy', 'b'], random)}`;
    default:
      return replace(pick(['%2e%2e', '..', 'namespaces', 'pods', 'v1'], random));
  }
}
