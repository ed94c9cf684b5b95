import { afterEach, describe, expect, it } from 'vitest';
import {
  horizontalPodAutoscaler,
  horizontalPodAutoscalerV1,
  validatingAdmissionPolicyBindingV1beta1,
  validatingAdmissionPolicyV1beta1,
} from '../../src/exports/kinds.js';
import { type ApiServer, type ApiServerOptions, configMap } from '../../src/index.js';
import { type FetchDetails, fetchFrom } from '../support/ask.js';
import { startServer } from '../support/servers.js';

let server: ApiServer | undefined;
afterEach(() => server?.close());

async function start(options: ApiServerOptions = {}): Promise<ApiServer> {
  return (server = await startServer({ dialect: 'k8s', ...options }));
}

const fetchAsAdmin = (path: string, more: FetchDetails = {}) =>
  fetchFrom(server ?? expect.unreachable('no server'), path, {
    ...more,
    user: { username: 'u', groups: ['system:masters'] },
  });

const policies = '/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies';
const spec = {
  matchConstraints: {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
  },
  validations: [{ expression: "object.metadata.name != 'bad'" }],
};

describe('versions that are switched on', () => {
  it('are neither served nor discovered before', async () => {
    await start();
    expect((await fetchAsAdmin(policies)).status).toBe(404);
    const groups = (await (await fetchAsAdmin('/apis')).json()) as {
      groups: { name: string; versions: { version: string }[] }[];
    };
    const versions = groups.groups.find(({ name }) => name === 'admissionregistration.k8s.io')?.versions;
    expect(versions?.map(({ version }) => version)).toEqual(['v1']);
    expect((await (await fetchAsAdmin('/openapi/v3')).text()).includes('v1beta1/')).toBe(false);
  });

  it('apply policies of the beta version to requests, with a warning', async () => {
    const { client } = {
      client: (await start({ runtimeConfig: { 'admissionregistration.k8s.io/v1beta1': '' } })).client(),
    };
    await client.create(validatingAdmissionPolicyV1beta1, { metadata: { name: 'p' }, spec } as never);
    await client.create(validatingAdmissionPolicyBindingV1beta1, {
      metadata: { name: 'b' },
      spec: { policyName: 'p', validationActions: ['Deny'] },
    } as never);
    const where = { namespace: 'default' };
    await expect(client.create(configMap, { metadata: { name: 'bad' } }, where)).rejects.toMatchObject({ code: 422 });
    await client.create(configMap, { metadata: { name: 'good' } }, where);
    const answer = await fetchAsAdmin(`${policies}/p`);
    expect(answer.headers.get('warning')).toBe(
      '299 - "admissionregistration.k8s.io/v1beta1 ValidatingAdmissionPolicy is deprecated in v1.31+, unavailable in v1.34+"',
    );
    expect(((await answer.json()) as { apiVersion: string }).apiVersion).toBe('admissionregistration.k8s.io/v1beta1');
  });

  it('leave stored objects unchanged while they are off', async () => {
    const first = await start();
    const where = { namespace: 'default' };
    const wanted = { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 3 };
    await first.client().create(horizontalPodAutoscaler, { metadata: { name: 'a' }, spec: wanted } as never, where);
    const state = await first.save();
    await first.close();
    const second = await start({ runtimeConfig: { 'autoscaling/v2': 'false' } });
    await second.load(state.replaceAll('"autoscaling/v2"', '"autoscaling/v1"'));
    expect((await fetchAsAdmin('/apis/autoscaling/v2')).status).toBe(404);
    expect(await second.client().get(horizontalPodAutoscalerV1, 'a', where)).toMatchObject({
      spec: { maxReplicas: 3 },
    });
    expect(await second.save()).toContain('"apiVersion": "autoscaling/v2"');
  });

  it('refuse bodies of a version that is off with its own error', async () => {
    await start({ runtimeConfig: { 'autoscaling/v1': 'false' } });
    const answer = await fetchAsAdmin('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', {
      method: 'POST',
      body: { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'a' } },
    });
    expect(await answer.json()).toMatchObject({
      code: 400,
      message: 'the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)',
    });
  });
});

describe('feature gates', () => {
  it('warn the operator of removed gates', async () => {
    const lines: string[] = [];
    await start({ featureGates: { ServerSideApply: true }, log: (line) => void lines.push(line) });
    expect(lines).toContain('Setting GA feature gate ServerSideApply=true. It will be removed in a future release.');
  });

  it('remove hashes from discovery, and identities from tokens', async () => {
    await start({ featureGates: { StorageVersionHash: false, ServiceAccountTokenJTI: false } });
    expect(await (await fetchAsAdmin('/api/v1')).text()).not.toContain('storageVersionHash');
    await fetchAsAdmin('/api/v1/namespaces/default/serviceaccounts', {
      method: 'POST',
      body: { metadata: { name: 'a' } },
    });
    const made = await fetchAsAdmin('/api/v1/namespaces/default/serviceaccounts/a/token', {
      method: 'POST',
      body: { spec: { audiences: ['a'] } },
    });
    const { status } = (await made.json()) as { status: { token: string } };
    expect(atob(status.token.split('.')[1] ?? '')).not.toContain('"jti"');
  });
});
