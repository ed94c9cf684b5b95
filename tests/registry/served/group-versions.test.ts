import { describe, expect, it } from 'vitest';
import { ask, requestsTo } from '../../support/ask.js';
import { seriesOf } from '../../support/metrics.js';
import { openServer, openSuiteServer } from '../../support/servers.js';

// The groups and versions that `orch` serves, and their switches (spec 8.12, 10.1, 10.2, 18.4, 18.5).
const annotations: unknown[] = [];
const server = openSuiteServer({
  dialect: 'orch',
  metrics: true,
  audit: {
    policy: { rules: [{ level: 'Metadata' }] },
    sinks: [{ mode: 'blocking', write: (records) => void annotations.push(...records.map(({ event }) => event)) }],
  },
});
const { get, post } = requestsTo(server);

const statusOf = async (path: string, at = server) => (await ask(at, { path })).status;

/** Versions that releases up to 1.29 stopped serving. */
const REMOVED = [
  ...['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2', 'policy/v1beta1', 'batch/v1beta1'],
  ...['autoscaling/v2beta1', 'autoscaling/v2beta2', 'node.orch.io/v1beta1', 'storage.orch.io/v1beta1'],
  ...['admissionregistration.orch.io/v1alpha1', 'apiextensions.orch.io/v1beta1', 'apiregistration.orch.io/v1beta1'],
  ...['authentication.orch.io/v1beta1', 'authorization.orch.io/v1beta1', 'certificates.orch.io/v1beta1'],
  ...['coordination.orch.io/v1beta1', 'networking.orch.io/v1beta1', 'rbac.authorization.orch.io/v1beta1'],
  ...['scheduling.orch.io/v1beta1', 'discovery.orch.io/v1beta1', 'events.orch.io/v1beta1'],
  ...['flowcontrol.apiserver.orch.io/v1beta1', 'flowcontrol.apiserver.orch.io/v1beta2'],
];

describe('a group version', () => {
  it('of the core group is at /api, and others at /apis', async () => {
    expect((await get('/api/v1')).value).toMatchObject({
      kind: 'APIResourceList',
      groupVersion: 'v1',
    });
    const named = (await get('/apis/apps/v1')).value;
    expect(named).toMatchObject({ kind: 'APIResourceList', groupVersion: 'apps/v1' });
    expect(await statusOf('/apis/v1')).toBe(404);
    const { groups } = (await get('/apis')).value;
    const certificates = groups.find(({ name }: { name: string }) => name === 'certificates.orch.io');
    expect(certificates).toMatchObject({
      preferredVersion: { groupVersion: 'certificates.orch.io/v1', version: 'v1' },
    });
  });

  it.each(REMOVED)('%s is not served', async (groupVersion) => {
    expect(await statusOf(`/apis/${groupVersion}`)).toBe(404);
  });

  it('is off if it is alpha, on if it is stable; flow control has its last beta version', async () => {
    expect(await statusOf('/apis/certificates.orch.io/v1alpha1')).toBe(404);
    for (const on of [
      'api/v1/serviceaccounts',
      'apis/authentication.orch.io/v1',
      'apis/certificates.orch.io/v1/certificatesigningrequests',
      'apis/flowcontrol.apiserver.orch.io/v1beta3',
    ])
      expect([on, await statusOf(`/${on}`)]).toEqual([on, 200]);
    const { value } = await get('/apis/authentication.orch.io/v1');
    expect(value.resources.map(({ name }: { name: string }) => name)).toEqual(['selfsubjectreviews', 'tokenreviews']);
  });

  it('is switched, as a whole or for one resource, by a key with or without a value', async () => {
    const runtimeConfig = {
      'certificates.orch.io/v1alpha1': '',
      'flowcontrol.apiserver.orch.io/v1beta3': 'false',
      'apps/v1/daemonsets': 'false',
    };
    const switched = await openServer({ dialect: 'orch', featureGates: { ClusterTrustBundle: true }, runtimeConfig });
    expect(await statusOf('/apis/certificates.orch.io/v1alpha1/clustertrustbundles', switched)).toBe(200);
    expect(await statusOf('/apis/flowcontrol.apiserver.orch.io/v1beta3', switched)).toBe(404);
    expect(await statusOf('/apis/apps/v1/daemonsets', switched)).toBe(404);
    expect(await statusOf('/apis/apps/v1/deployments', switched)).toBe(200);
    await switched.close();
  });

  it('that is deprecated has a warning header, an audit annotation and a metric', async () => {
    const { headers } = await get('/apis/flowcontrol.apiserver.orch.io/v1beta3/flowschemas');
    expect(String(headers['Warning'])).toContain('flowcontrol.apiserver.orch.io/v1beta3 FlowSchema is deprecated');
    expect(JSON.stringify(annotations)).toContain('"orch.io/deprecated":"true"');
    expect(await seriesOf(server, 'apiserver_requested_deprecated_apis')).toEqual([
      {
        labels: {
          group: 'flowcontrol.apiserver.orch.io',
          version: 'v1beta3',
          resource: 'flowschemas',
          subresource: '',
          removed_release: '1.32',
        },
        value: '1',
      },
    ]);
  });

  it('sets unspecified shares of a priority level to 30', async () => {
    const path = '/apis/flowcontrol.apiserver.orch.io/v1/prioritylevelconfigurations';
    const make = async (name: string, limited: object) =>
      (
        await post(path, {
          metadata: { name },
          spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...limited } },
        })
      ).value.spec?.limited.nominalConcurrencyShares;
    expect([await make('unsaid', {}), await make('none', { nominalConcurrencyShares: 0 })]).toEqual([30, 0]);
  });
});

describe('the release', () => {
  it('is 1.31', async () => {
    expect((await get('/version')).value).toMatchObject({ major: '1', minor: '31' });
  });
});
