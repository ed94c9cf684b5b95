import { describe, expect, it } from 'vitest';
import type { ApiServerOptions } from '../../src/api-server-options.js';
import { fetchFrom } from '../support/ask.js';
import { scrape, seriesOf } from '../support/metrics.js';
import { openServer } from '../support/servers.js';

const MAPS = '/api/v1/namespaces/default/configmaps';
const WIDGETS = '/apis/example.com/v1/namespaces/default/widgets';

const open = async (options: ApiServerOptions = {}) => {
  const server = await openServer({ metrics: true, ...options });
  const ask = async (method: string, path: string, body?: object | string, headers: Record<string, string> = {}) => {
    const answer = await fetchFrom(server, path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    server,
    ask,
    requests: async (resource: string) => {
      const series = await seriesOf(server, 'apiserver_request_total');
      return series.filter(({ labels }) => labels['resource'] === resource).map(lineOf);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
};

describe('a request is counted', () => {
  it('by its verb, scope and code', async () => {
    await using of = await open();
    await of.ask('POST', MAPS, { metadata: { name: 'a' } });
    await of.ask('GET', `${MAPS}/a`);
    await of.ask('GET', `${MAPS}/a`);
    await of.ask('GET', MAPS);
    await of.ask('GET', '/api/v1/configmaps?limit=1');
    await of.ask('GET', `${MAPS}/none`);
    await of.ask('POST', `${MAPS}?dryRun=All`, { metadata: { name: 'b' } });
    await of.ask('POST', `${MAPS}?dryRun=Some`, { metadata: { name: 'b' } });
    await of.ask('PATCH', `${MAPS}/c?fieldManager=m`, 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}', {
      'content-type': 'application/apply-patch+yaml',
    });
    await of.ask('DELETE', MAPS);
    expect(await of.requests('configmaps')).toEqual([
      'APPLY resource 201: 1',
      'DELETE namespace 200: 1',
      'GET resource 200: 2',
      'GET resource 404: 1',
      'LIST cluster 200: 1',
      'LIST namespace 200: 1',
      'POST resource 201: 1',
      'POST resource All 201: 1',
      'POST resource invalid 422: 1',
    ]);
  });

  it('with its duration, and the sizes of its request and response', async () => {
    await using of = await open();
    await of.ask('POST', MAPS, { metadata: { name: 'a' } });
    const { text } = await of.ask('GET', `${MAPS}/a`);
    const all = await scrape(of.server);
    const lines = (name: string) =>
      (all.get(name) ?? []).filter(({ labels }) => labels['resource'] === 'configmaps').map(lineOf);
    expect(lines('apiserver_response_sizes_sum')).toEqual([`GET resource: ${text.length}`]);
    expect(lines('apiserver_request_duration_seconds_count')).toEqual(['GET resource: 1', 'POST resource: 1']);
    expect(lines('apiserver_request_sli_duration_seconds_count')).toEqual(['GET resource: 1', 'POST resource: 1']);
    expect(all.has('apiserver_request_slo_duration_seconds_count')).toBe(false);
    const sent = JSON.stringify({ metadata: { name: 'a' } }).length;
    expect(lines('apiserver_request_body_size_bytes_sum')).toEqual([`create: ${sent}`]);
  });

  it('unless no handler was found for it, whatever its path, method and query', async () => {
    await using of = await open();
    for (let i = 0; i < 50; i++) {
      await of.ask('GET', `/apis/group-${i}/v1/things`);
      await of.ask('GET', `/api/v1/namespaces/default/things-${i}`);
      await of.ask('GET', `${MAPS}/a/subresource-${i}`);
      await of.ask(`METHOD${i}`, MAPS);
      await of.ask('GET', MAPS, undefined, { accept: `text/x-${i}` });
      await of.ask('GET', `${MAPS}?fieldValidation=${i}&dryRun=${i}`);
      await of.ask('GET', `/readyz/${i}`);
      await of.ask('GET', `/nothing-${i}`);
    }
    const all = await scrape(of.server);
    expect(all.get('apiserver_request_total')?.map(lineOf)).toEqual(['LIST namespace invalid 200: 50']);
    expect(all.get('field_validation_request_duration_seconds_count')?.map(lineOf)).toEqual(['invalid: 0']);
  });

  it('by the custom resources, with the labels of their shared handler', async () => {
    await using of = await open({ controllers: (defaults) => defaults });
    await of.server.install({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    await of.ask('POST', WIDGETS, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } });
    expect((await of.ask('HEAD', `${WIDGETS}/a`)).status).toBe(200);
    await of.ask('GET', `${WIDGETS}?fieldSelector=metadata.name%3Da`);
    await of.ask('GET', `${WIDGETS}/a`, undefined, { accept: 'text/css' });
    await of.ask('GET', `${WIDGETS}/a/nope`);
    expect(await of.requests('widgets')).toEqual([
      'GET resource 200: 2',
      'GET resource 406: 1',
      'POST resource 201: 1',
    ]);
  });

  it('by the path of a complete health check', async () => {
    await using of = await open();
    for (const path of ['/readyz', '/healthz?verbose', '/livez/ping', '/version']) await of.ask('GET', path);
    const paths = (await seriesOf(of.server, 'apiserver_request_total')).map(({ labels }) => labels['subresource']);
    expect(paths.filter((path) => path !== '')).toEqual(['/healthz', '/readyz']);
  });

  it('in process as well', async () => {
    await using of = await open();
    const { configMap } = await import('../../src/index.js');
    await of.server.client().list(configMap);
    expect(await of.requests('configmaps')).toEqual(['LIST cluster 200: 1']);
    expect((await seriesOf(of.server, 'apiserver_selfrequest_total')).map(lineOf)).toContain('LIST: 1');
  });
});

describe('a watch', () => {
  it('is counted as a long-running request while it is open, and counts its events', async () => {
    await using of = await open();
    const leave = new AbortController();
    const answer = await fetchFrom(of.server, `${MAPS}?watch=1`, { signal: leave.signal });
    const reader = answer.body?.getReader();
    await of.ask('POST', MAPS, { metadata: { name: 'a' } });
    const { value } = (await reader?.read()) ?? {};
    const lasting = async () => (await seriesOf(of.server, 'apiserver_longrunning_requests')).map(lineOf);
    expect(await lasting()).toEqual(['WATCH namespace: 1']);
    leave.abort();
    await reader?.cancel().catch(() => {});
    expect(await lasting()).toEqual(['WATCH namespace: 0']);
    expect(await of.requests('configmaps')).toEqual(['POST resource 201: 1', 'WATCH namespace 200: 1']);
    const labels = { group: '', version: 'v1', kind: 'ConfigMap' };
    expect(await seriesOf(of.server, 'apiserver_watch_events_total')).toEqual([{ labels, value: '1' }]);
    const sent = String(value?.length);
    expect(await seriesOf(of.server, 'apiserver_watch_events_sizes_sum')).toEqual([{ labels, value: sent }]);
  });
});

describe('callers', () => {
  it('are counted by authenticator and decision, with few label values', async () => {
    await using of = await open({
      authentication: [
        () => ({
          name: 'by-header',
          authenticate: ({ headers }) => {
            const name = headers.get('x-name');
            if (name === undefined) return { outcome: 'skipped' };
            if (name === 'wrong') return { outcome: 'rejected', error: new Error('wrong') };
            return { outcome: 'authenticated', user: { username: name } };
          },
        }),
      ],
      authorization: [
        () => ({
          name: 'by-name',
          authorize: ({ user }) =>
            user.username === 'admin'
              ? { decision: 'Allow', reason: '' }
              : { decision: user.username === 'mallory' ? 'Deny' : 'NoOpinion', reason: '' },
        }),
      ],
    });
    for (const name of ['admin', 'mallory', 'user@example.com', 'someone', 'wrong'])
      await of.ask('GET', MAPS, undefined, { 'x-name': name });
    await of.ask('GET', MAPS);
    const all = await scrape(of.server, { 'x-name': 'admin' });
    const lines = (name: string) => all.get(name)?.map(lineOf);
    expect(lines('authenticated_user_requests')).toEqual(['admin: 2', 'email_id: 1', 'other: 2']);
    expect(lines('authentication_attempts')).toEqual(['error: 1', 'failure: 1', 'success: 5']);
    expect(lines('authorization_attempts_total')).toEqual(['allowed: 2', 'denied: 1', 'no-opinion: 2']);
    expect(lines('apiserver_request_filter_duration_seconds_count')).toEqual(
      // Failed authentications count, too; refused authorizations do not.
      expect.arrayContaining(['authentication: 7', 'authorization: 2', 'impersonation: 5']),
    );
  });
});

it('a requested deprecated version has a metric with its removal release', async () => {
  await using of = await open();
  await of.ask('GET', '/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas?limit=1');
  expect(await seriesOf(of.server, 'apiserver_requested_deprecated_apis')).toEqual([
    {
      labels: {
        group: 'flowcontrol.apiserver.k8s.io',
        removed_release: '1.32',
        resource: 'flowschemas',
        subresource: '',
        version: 'v1beta3',
      },
      value: '1',
    },
  ]);
});

const OWN = new Set(['group', 'version', 'resource', 'subresource', 'component', 'le']);

/** Returns the labels that distinguish series of one resource, and the value. */
function lineOf({ labels, value }: { readonly labels: Readonly<Record<string, string>>; readonly value: string }) {
  const { verb, scope, dry_run, code, ...more } = labels;
  const rest = Object.entries(more).filter(([name]) => !OWN.has(name));
  const words = [verb, scope, dry_run, code, ...rest.map(([, text]) => text)].filter(Boolean);
  return words.length === 0 ? value : `${words.join(' ')}: ${value}`;
}
