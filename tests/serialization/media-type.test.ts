import { describe, expect, it } from 'vitest';
import { isApiError } from '../../src/meta/api-error.js';
import { groupOf, k8s, orch } from '../../src/meta/dialect.js';
import type { GroupVersionKind } from '../../src/meta/group-version.js';
import { parseAccept } from '../../src/serialization/accept.js';
import {
  type AnswerForm,
  checkRouteAccept,
  checkRouteContentType,
  isPretty,
  type MediaType,
  mediaTypesOf,
  negotiate,
  requestMediaType,
  routeMediaTypes,
  streamFormat,
  tryNegotiate,
} from '../../src/serialization/media-type.js';
import { cpuTime } from '../support/cpu-time.js';
import { type GoldenStep, hasSharedData } from '../support/shared-data.js';
import { recordedRequests } from './golden.js';

const allowed = mediaTypesOf(k8s);
const [json, yaml, protobuf] = allowed;

describe('parseAccept', () => {
  const types = (header: string) => parseAccept(header).map(({ type, subtype }) => `${type}/${subtype}`);
  it.each([
    ['keeps a tab as part of a name', ' a/b\t,\tc/d', ['a/b\t', '\tc/d']],
    ['ranks an infinite quality first', 'a/b;q=9, c/d;q=inf', ['c/d', 'a/b']],
    ['compares qualities with 32 bits', 'a/b;q=0.99999999, c/d', ['a/b', 'c/d']],
    ['counts a quality that is not a number as 0', 'a/b;q=x, c/d;q=0.1', ['c/d', 'a/b']],
  ])('%s', (_title, header, expected) => expect(types(header)).toEqual(expected));
  it('keeps a parameter whose value is empty', () =>
    expect([...(parseAccept('a/b;c==;d=;e=f=g')[0]?.parameters ?? [])]).toEqual([['c', '']]));
});

/** What resources can be turned into. */
function transforms({ group, version, kind }: GroupVersionKind, type: MediaType): boolean {
  if (group !== groupOf(k8s, 'meta') || !['v1', 'v1beta1'].includes(version)) return false;
  return kind !== 'APIGroupDiscoveryList' && type.format.transforms.has(kind);
}

/** Goes through all checks of a route to a stored kind. */
function choose(accept: string | undefined, watch: boolean, convertible = true): AnswerForm {
  checkRouteAccept(accept, routeMediaTypes(allowed, watch), k8s);
  const negotiation = { allowed, stream: 'watch' as const, ...(convertible ? { transforms } : {}) };
  const chosen = negotiate(accept, negotiation);
  if (watch) streamFormat(chosen.mediaType, allowed);
  return chosen;
}

const refusal = (run: () => unknown) => {
  try {
    run();
    return undefined;
  } catch (error) {
    if (isApiError(error)) return error.status;
    throw error;
  }
};
const recordedRefusal = (answer: GoldenStep | undefined) => {
  const body = Array.isArray(answer?.body) ? answer.body[0] : answer?.body;
  return answer?.status === 406 ? body : undefined;
};

describe.skipIf(!hasSharedData)('recorded negotiations', async () => {
  const files = hasSharedData
    ? ['negotiation/accept', 'negotiation/table-options', 'watch/errors', 'watch/transforms']
    : [];
  const requests = (await Promise.all(files.map(recordedRequests))).flat();
  const relevant = requests.filter(
    ({ path, answer, title }) =>
      answer &&
      path.includes('/secrets') &&
      !/form on|an error|delete|POST/.test(title) &&
      typeof recordedRefusal(answer) !== 'string',
  );
  it('exist in sufficient number', () => expect(relevant.length).toBeGreaterThan(50));
  it.each(relevant)('$title', ({ path, options, answer }) => {
    const accept = options.accept ?? options.headers?.['accept'];
    const status = refusal(() => choose(accept, path.includes('watch=')));
    expect(status && { ...status }).toEqual(recordedRefusal(answer));
    if (status !== undefined || path.includes('watch=')) return;
    const type = answer?.headers?.['content-type'];
    if (typeof type === 'string' && answer?.status === 200) expect(choose(accept, false).mediaType.name).toBe(type);
  });
  it('a review as Table', () => {
    const found = requests.find(({ title }) => title === 'a review as Table');
    expect(refusal(() => choose(found?.options.accept, false, false))).toEqual(found?.answer?.body);
  });
});

describe.skipIf(!hasSharedData)('recorded content types', async () => {
  const requests = hasSharedData
    ? (await recordedRequests('negotiation/content-types')).filter((r) => r.answer && !/PATCH|GET/.test(r.title))
    : [];
  it.each(requests)('$title', ({ options, answer }) => {
    expect(refusal(() => requestMediaType(options.type, allowed))).toEqual(
      answer?.status === 415 ? answer.body : undefined,
    );
  });
});

describe.skipIf(!hasSharedData)('recorded indentation', async () => {
  const requests = hasSharedData
    ? (await recordedRequests('negotiation/pretty')).filter((r) =>
        /^(?:get|agent|a list|an error|by Accept)/.test(r.title),
      )
    : [];
  it.each(requests)('$title', ({ path, options, answer }) => {
    const accept = options.accept ?? options.headers?.['accept'];
    const query = new URL(path, 'http://x').searchParams.get('pretty') ?? undefined;
    const agent = options.headers?.['user-agent'];
    expect(answer?.body).toMatchObject({ indented: isPretty(negotiate(accept, { allowed }), query, agent) });
  });
});

describe('negotiate', () => {
  it.each([
    ['application/json;q=0.1, application/yaml', yaml],
    ['application/*', json],
    ['application/*;q=0.9, application/yaml;q=0.1', yaml],
    ['*', json],
    ['text/html, */*;q=0.1', json],
    ['application/vnd.kubernetes.protobuf', protobuf],
    ['application/json;q=nonsense, application/yaml', yaml],
    ['application/json;a=b=c', json],
    [' application / json ', json],
  ])('%s: $1.name', (accept, type) => expect(negotiate(accept, { allowed }).mediaType).toBe(type));
  it.each([
    'application',
    'application/',
    'application/json/x',
    'APPLICATION/JSON',
    ';',
    ',',
    'application/json;sv=1',
    'application/json;stream=other',
    'application/yaml;stream=watch',
    'application/json;as=Table',
  ])('%j: 406', (accept) => expect(refusal(() => negotiate(accept, { allowed }))?.code).toBe(406));
  it('accepts stream=watch for every response, and the allowed server version', () => {
    expect(negotiate('application/json;stream=watch', { allowed }).mediaType).toBe(json);
    expect(tryNegotiate('application/vnd.kubernetes.protobuf;stream=watch', { allowed })?.mediaType).toBe(protobuf);
    expect(negotiate('application/yaml;sv=v1', { allowed, serverVersion: 'v1' }).mediaType).toBe(yaml);
    expect(refusal(() => negotiate('application/yaml;sv=v2', { allowed, serverVersion: 'v1' }))?.code).toBe(406);
  });
  it('returns the requested transform', () => {
    expect(negotiate('application/json;as=Table;g=meta.k8s.io;v=v1,application/json', { allowed, transforms })).toEqual(
      {
        mediaType: json,
        pretty: false,
        transform: { group: 'meta.k8s.io', version: 'v1', kind: 'Table' },
      },
    );
  });
  it('has the protobuf media type of the dialect', () => {
    expect(refusal(() => negotiate('x/y', { allowed: mediaTypesOf(orch) }))?.message).toContain(
      'application/vnd.orch.protobuf',
    );
  });
  it('reports every error', () => {
    expect(tryNegotiate('application/json;as=Table;g=meta.k8s.io;v=v1', { allowed })).toBeUndefined();
    expect(tryNegotiate('application/yaml', { allowed })?.mediaType).toBe(yaml);
    expect(tryNegotiate(undefined, { allowed })?.mediaType).toBe(json);
  });
  it('never indents YAML', () =>
    expect(isPretty(negotiate('application/yaml;pretty=1', { allowed }), 'true', 'curl/8')).toBe(false));
  it('handles long headers', () => {
    const start = cpuTime();
    expect(parseAccept('*/*;q=0.1,a/b;q=0.2,'.repeat(5000))).toHaveLength(10_000);
    expect(cpuTime() - start).toBeLessThan(5_000);
  });
});

describe('request content types', () => {
  it.each([
    [undefined, json],
    ['', json],
    ['application/json;', json],
    ['application/JSON ; charset="utf-8; x"', json],
    ['application/json; a = b', json],
    ['application/json; charset = utf-8 ;CharSet=utf-8', json],
    ['application/vnd.kubernetes.protobuf', protobuf],
  ])('%s', (header, type) => expect(requestMediaType(header, allowed)).toBe(type));
  it.each([
    'application/json; charset',
    'application',
    'application/json x',
    'application/json;a=b;c',
    'application/json;a=b;A=c',
  ])('%s: 415', (header) => expect(refusal(() => requestMediaType(header, allowed))?.code).toBe(415));
  it('are checked by the route of patches', () => {
    expect(refusal(() => checkRouteContentType('application/json', ['application/merge-patch+json']))).toMatchObject({
      code: 415,
      message: '415: Unsupported Media Type',
      details: {},
    });
    expect(
      refusal(() =>
        checkRouteContentType('application/merge-patch+json; charset=utf-8', ['application/merge-patch+json']),
      ),
    ).toBeUndefined();
    expect(refusal(() => checkRouteContentType(undefined, ['application/merge-patch+json']))?.code).toBe(415);
    expect(refusal(() => checkRouteContentType(undefined, ['application/merge-patch+json'], true))).toMatchObject({
      code: 406,
      message: '406: Not Acceptable\n\nAvailable representations: ',
    });
  });
});
