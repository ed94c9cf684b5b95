import { GROUPS, KINDS, NAMES, NAMESPACES, PATHS } from './samples.mjs';

const METHODS = ['GET', 'GET', 'GET', 'POST', 'POST', 'PUT', 'PUT', 'PATCH', 'PATCH', 'PATCH', 'DELETE', 'HEAD'];
const ODD_METHODS = ['OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'REPORT'];
const PATCHES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const TYPES = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'text/plain',
  'application/json; charset=utf-16',
  '',
];
const ACCEPTS = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  '*/*',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io',
  'text/html',
  'application/json;q=x',
  ',,;',
];
const TOKENS = [...Array(16).fill('admin'), 'bob', 'bob', 'nobody', 'a.b.c', '', ' admin'];
const ODD_NAMES = ['unknown', '__proto__x', 'constructor', 'é', '', 'metadata', 'spec'];
const PARAMETERS = [
  'limit=2',
  'limit=-1',
  'limit=x',
  'continue=abc',
  'resourceVersion=0',
  'resourceVersion=x',
  'resourceVersion=1',
  'resourceVersion=99999999',
  'resourceVersionMatch=Exact',
  'resourceVersionMatch=NotOlderThan',
  'labelSelector=app%3Dfuzz',
  'labelSelector=!%3D',
  'labelSelector=a%20in%20(b,c)',
  'fieldSelector=metadata.name%3Da',
  'fieldSelector=spec.x%3D1',
  'dryRun=All',
  'dryRun=',
  'dryRun=x',
  'fieldManager=fuzz',
  'fieldManager=%00',
  'fieldValidation=Strict',
  'fieldValidation=Warn',
  'fieldValidation=x',
  'force=true',
  'force=x',
  'timeout=1s',
  'timeout=x',
  'pretty=true',
  'includeObject=Object',
  'propagationPolicy=Orphan',
  'gracePeriodSeconds=0',
  'sendInitialEvents=true',
  'allowWatchBookmarks=true',
  '%zz',
  'a=b&a=c',
];
const HEADERS = [
  ['Impersonate-User', 'alice'],
  ['Impersonate-User', 'system:serviceaccount:default:a'],
  ['Impersonate-Group', 'dev'],
  ['Impersonate-Extra-A%2fb', 'x'],
  ['Impersonate-Uid', '1'],
  ['If-None-Match', '"x"'],
  ['Content-Encoding', 'gzip'],
  ['User-Agent', 'ä'.repeat(20)],
  ['X-Remote-User', 'root'],
  ['Accept-Encoding', 'gzip'],
  ['Audit-Id', 'x'.repeat(70)],
];

/** Returns a random request: a valid one with some changes. Watches end after a second. */
export function randomRequest(random) {
  const { pick, often, below } = random;
  const kind = pick(KINDS);
  const name = pick(NAMES);
  let method = often(0.02) ? pick(ODD_METHODS) : pick(METHODS);
  if (method === 'HEAD' && often(0.5)) method = 'GET';
  let path = often(0.07) ? pick(PATHS) : resourcePath(random, kind, name, method);
  if (often(0.04)) path = oddPath(random, path);
  const query = Array.from({ length: often(0.4) ? 1 + below(3) : 0 }, () => pick(PARAMETERS));
  if (method === 'GET' && often(0.08)) query.push('watch=1');
  // Watches end by their timeout.
  if (method === 'GET') query.push('timeoutSeconds=1');
  const headers = { authorization: `Bearer ${pick(TOKENS)}` };
  if (often(0.5)) headers.accept = pick(ACCEPTS);
  for (let i = often(0.1) ? 1 + below(3) : 0; i > 0; i--) {
    const [header, value] = pick(HEADERS);
    headers[header.toLowerCase()] = encodeURI(value);
  }
  const separator = path.includes('?') ? '&' : '?';
  const target = query.length === 0 ? path : `${path}${separator}${query.join('&')}`;
  if (method === 'GET' || method === 'HEAD') return { method, path: target, headers, body: undefined };
  const { type, body } = randomBody(random, method, kind, name);
  if (type !== '') headers['content-type'] = type;
  return { method, path: target, headers, body };
}

function resourcePath({ pick, often }, { prefix, plural, namespaced, subresources }, name, method) {
  const parts = [often(0.03) ? `/apis/${pick(GROUPS)}/v1` : prefix];
  if (often(0.02)) parts.push('watch');
  if (namespaced ? !often(0.1) : often(0.03)) parts.push('namespaces', pick(NAMESPACES));
  parts.push(plural);
  if (method === 'POST' ? often(0.15) : !often(0.25)) {
    parts.push(name);
    if (often(0.15))
      parts.push(subresources.length > 0 && !often(0.3) ? pick(subresources) : pick(['status', 'scale', 'log', 'x']));
  }
  return parts.join('/');
}

function oddPath({ pick, below }, path) {
  const at = 1 + below(path.length);
  const piece = pick(['/', '//', '%2f', '%00', '%', '%c3%28', '..', '/./', ';', 'é', ' ', 'x'.repeat(300)]);
  return `${path.slice(0, at)}${encodeURI(piece).replaceAll('%25', '%')}${path.slice(at)}`;
}

function randomBody(random, method, kind, name) {
  const { pick, often, below } = random;
  if (often(0.04)) return { type: pick([...TYPES, ...PATCHES]), body: bytes(random, below(400)) };
  let object = kind.sample(name);
  for (let i = often(0.6) ? below(4) : 0; i > 0; i--) mutate(random, object);
  if (method === 'DELETE') object = often(0.4) ? undefined : deleteOptions(random);
  if (object === undefined) return { type: '', body: undefined };
  if (method === 'PATCH') {
    const type = pick(PATCHES);
    return { type, body: JSON.stringify(type.startsWith('application/json-patch') ? jsonPatch(random) : object) };
  }
  const type = often(0.8) ? 'application/json' : pick(TYPES);
  const text = JSON.stringify(object);
  if (often(0.01)) return { type, body: text.replace('{', `{"padding":"${'x'.repeat(below(4_000_000))}",`) };
  if (often(0.03)) return { type, body: text.slice(0, below(text.length)) };
  if (often(0.03)) return { type, body: text.replace(/"metadata":/, '"metadata":{"name":"twice"},"metadata":') };
  return { type, body: text };
}

const bytes = ({ below }, length) => Buffer.from(Array.from({ length }, () => below(256)));

const deleteOptions = ({ pick }) => ({
  kind: 'DeleteOptions',
  apiVersion: 'v1',
  ...pick([
    {},
    { propagationPolicy: 'Orphan' },
    { gracePeriodSeconds: 'x' },
    { preconditions: { uid: 'x' } },
    { dryRun: ['All'] },
    { dryRun: 'All' },
    { orphanDependents: true, propagationPolicy: 'x' },
  ]),
});

function jsonPatch(random) {
  const { pick, below } = random;
  const paths = [
    '/metadata/labels/app',
    '/data/a',
    '/data',
    '/metadata',
    '',
    '/spec/containers/0',
    '/spec/containers/-',
    '/x/y',
    'bad',
    '/metadata/annotations/~1',
  ];
  return Array.from({ length: 1 + below(3) }, () => ({
    op: pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x']),
    path: pick(paths),
    from: pick(paths),
    value: oddValue(random),
  }));
}

/** Changes one random member below an object: another value, another name, or its removal. */
function mutate(random, object) {
  const { pick, often, below: roll } = random;
  const keys = Object.keys(object);
  if (keys.length === 0) return;
  const key = pick(keys);
  const inner = object[key];
  if (typeof inner === 'object' && inner !== null && !often(0.25)) {
    mutate(random, inner);
    return;
  }
  const change = roll(5);
  if (change === 0) delete object[key];
  else object[change === 1 ? pick(ODD_NAMES) : key] = oddValue(random);
}

function oddValue(random) {
  const { pick, below } = random;
  return pick([
    null,
    true,
    0,
    -1,
    1.5,
    2 ** 53,
    1e300,
    '',
    'x',
    ' ',
    'é\u0000',
    '2026-01-02T03:04:05Z',
    '10Mi',
    [],
    {},
    [null],
    [[]],
    [{}],
    { a: null },
    { name: 'a' },
    'x'.repeat(below(600)),
    Array.from({ length: below(50) }, () => ({ name: 'a' })),
    [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', controller: true }],
    [
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:a': {} } },
      },
    ],
  ]);
}
