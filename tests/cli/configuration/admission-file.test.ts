import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { ApiServer } from '../../../src/api-server.js';
import { admissionOptions } from '../../../src/cli/authorization-options.js';
import { parseFlags } from '../../../src/cli/parse-flags.js';
import type { Fetch } from '../../../src/meta/fetch.js';
import { defaultAdmission } from '../../../src/plugins/default-admission.js';
import { serviceAccountAdmission } from '../../../src/plugins/service-accounts/service-account-admission.js';
import { ask } from '../../support/ask.js';
import { closeAfterTest, openServer } from '../../support/servers.js';

const folder = mkdtempSync(join(tmpdir(), 'admission-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
function file(name: string, content: object | string): string {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}
const pluginsOf = (plugins: readonly object[], flags: readonly string[] = []) =>
  pluginsBy(
    file('admission.yaml', { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }),
    flags,
  );
const pluginsBy = (path: string, flags: readonly string[] = []) =>
  admissionOptions(parseFlags(['--dialect=k8s', `--admission-control-config-file=${path}`, ...flags]));

it('flags set how long pods stay on an unreachable node', async () => {
  const flags = ['--default-not-ready-toleration-seconds=60', '--default-unreachable-toleration-seconds=120'];
  const server = closeAfterTest(
    await openServer({ admission: await admissionOptions(parseFlags(['--dialect=k8s', ...flags])) }),
  );
  await server.load([
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: 'default' } },
  ]);
  const { tolerations } = (await newPod(server)).value.spec;
  const seconds = tolerations.map((each: { key: string; tolerationSeconds: number }) => [
    each.key,
    each.tolerationSeconds,
  ]);
  expect(seconds).toEqual([
    ['node.kubernetes.io/not-ready', 60],
    ['node.kubernetes.io/unreachable', 120],
  ]);
});

async function serverWith(plugins: readonly object[], fetch?: Fetch): Promise<ApiServer> {
  const admission = await pluginsOf(plugins);
  const server = closeAfterTest(await openServer({ dialect: 'k8s', admission, ...(fetch ? { fetch } : {}) }));
  await server.load([
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'exempt' } },
    ...['default', 'exempt'].map((namespace) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'default', namespace },
    })),
  ]);
  return server;
}
const spec = { containers: [{ name: 'c', image: 'i' }] };
const newPod = (server: ApiServer, pod: object = spec, namespace = 'default') =>
  ask(server, {
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/pods`,
    body: { metadata: { generateName: 'p-' }, spec: pod },
  });

const podSecurity = (more: object) => ({
  apiVersion: 'pod-security.admission.config.k8s.io/v1',
  kind: 'PodSecurityConfiguration',
  ...more,
});

const EXEC = { apiVersion: 'client.authentication.k8s.io/v1', command: 'x', interactiveMode: 'Never' };

describe('a configuration file for pod security', () => {
  const configuration = podSecurity({
    defaults: { enforce: 'baseline', 'enforce-version': 'v1.30' },
    exemptions: { namespaces: ['exempt'] },
  });

  it.each([
    ['inline', { name: 'PodSecurity', configuration }],
    ['by a path beside the file', { name: 'PodSecurity', path: 'pod-security.yaml' }],
  ])('applies to namespaces without labels of their own, %s', async (_, plugin) => {
    file('pod-security.yaml', configuration);
    const server = await serverWith([plugin]);
    const withHostPids = { ...spec, hostPID: true };
    const refused = await newPod(server, withHostPids);
    expect([refused.status, refused.message]).toEqual([
      403,
      expect.stringContaining('violates PodSecurity "baseline:v1.30"'),
    ]);
    expect((await newPod(server)).status).toBe(201);
    expect((await newPod(server, withHostPids, 'exempt')).status).toBe(201);
  });

  it.each<[string, object, string]>([
    [
      'an unknown level',
      { defaults: { enforce: 'strict' } },
      'defaults.enforce: Invalid value: "strict": must be one of privileged, baseline, restricted',
    ],
    [
      'a malformed version',
      { defaults: { 'warn-version': '1.30' } },
      'defaults.warn-version: Invalid value: "1.30": must be "latest" or "v1.x"',
    ],
    [
      'a malformed name',
      { exemptions: { namespaces: ['A'] } },
      'exemptions.namespaces[0]: Invalid value: "A": a lowercase RFC 1123 label',
    ],
    [
      'a duplicate name',
      { exemptions: { runtimeClasses: ['a', 'a'] } },
      'exemptions.runtimeClasses[1]: Duplicate value: "a"',
    ],
    ['an empty user name', { exemptions: { usernames: [''] } }, 'exemptions.usernames[0]: Required value'],
    ['an unknown field', { default: {} }, 'strict decoding error: unknown field "default"'],
    ['an object of another kind', { kind: 'Pod' }, 'no kind "Pod" is registered for version'],
  ])('is refused for %s', async (_, more, why) => {
    const plugins = pluginsOf([{ name: 'PodSecurity', configuration: podSecurity(more) }]);
    await expect(plugins).rejects.toThrow(
      'failed to initialize admission: couldn\'t init admission plugin "PodSecurity": ',
    );
    await expect(plugins).rejects.toThrow(why);
  });
});

describe('a configuration file for quotas', () => {
  const limited = (limitedResources: readonly object[]) => [
    {
      name: 'ResourceQuota',
      configuration: { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'ResourceQuotaConfiguration', limitedResources },
    },
  ];
  const asking = { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1', memory: '1Gi' } } }] };
  const load = (server: ApiServer, hard: Readonly<Record<string, string>>, more: object = {}) =>
    server.load([
      {
        apiVersion: 'v1',
        kind: 'ResourceQuota',
        metadata: { name: 'q', namespace: 'default' },
        spec: { hard, ...more },
        status: { hard, used: Object.fromEntries(Object.keys(hard).map((name) => [name, '0'])) },
      },
    ]);

  it('refuses objects that no quota counts', async () => {
    const server = await serverWith(limited([{ resource: 'pods', matchContains: ['requests.cpu'] }]));
    expect((await newPod(server)).status).toBe(201);
    const refused = await newPod(server, asking);
    expect([refused.status, refused.message]).toEqual([
      403,
      expect.stringMatching(/^pods "p-.*" is forbidden: insufficient quota to consume: requests\.cpu$/),
    ]);
    await load(server, { 'requests.cpu': '2' });
    expect((await newPod(server, asking)).status).toBe(201);
    expect((await newPod(server, asking)).status).toBe(201);
    expect((await newPod(server, asking)).message).toContain('exceeded quota: q');
  });

  it('refuses objects of scopes that no quota has', async () => {
    const matchScopes = [{ scopeName: 'BestEffort', operator: 'Exists' }];
    const server = await serverWith(limited([{ resource: 'pods', matchScopes }]));
    expect((await newPod(server, asking)).status).toBe(201);
    expect((await newPod(server)).message).toBe('insufficient quota to match these scopes: [{BestEffort Exists []}]');
    await load(server, { pods: '1' }, { scopes: ['BestEffort'] });
    expect((await newPod(server)).status).toBe(201);
  });

  it.each([
    ['apiserver.config.k8s.io/v1', 'ResourceQuotaConfiguration', 'v1'],
    ['resourcequota.admission.k8s.io/v1beta1', 'Configuration', 'v1beta1'],
  ])('are refused with the types of %s', async (apiVersion, kind, version) => {
    const refused = (limitedResources: unknown) =>
      expect(pluginsOf([{ name: 'ResourceQuota', configuration: { apiVersion, kind, limitedResources } }])).rejects;
    await refused(1).toThrow(
      `cannot unmarshal number into Go struct field Configuration.limitedResources of type []${version}.LimitedResource`,
    );
    await refused([{ matchScopes: [[]] }]).toThrow('limitedResources.matchScopes of type v1.ScopedResourceSelector');
  });

  it('must name the limited resources', async () => {
    await expect(pluginsOf(limited([{ resource: '' }]))).rejects.toThrow(
      'limitedResources[0].resource: Required value',
    );
  });
});

describe('a configuration file for plug-ins that are off by default', () => {
  const of = (name: string, configuration: object) =>
    pluginsOf([{ name, configuration }], [`--enable-admission-plugins=${name}`]);
  const typed = (group: string, more: object) => ({
    apiVersion: `${group}.admission.k8s.io/v1alpha1`,
    kind: 'Configuration',
    ...more,
  });
  const events = (...limits: object[]) => typed('eventratelimit', { limits });
  const policy = (more: object) => ({ imagePolicy: { kubeConfigFile: 'nowhere', ...more } });

  it.each<[string, object, string]>([
    ['EventRateLimit', events(), 'limits: Invalid value: []eventratelimit.Limit{}: must not be empty'],
    [
      'EventRateLimit',
      events({ type: 'Node', qps: 0, burst: -1 }),
      '[limits[0].type: Unsupported value: "Node": supported values: "Namespace", "Server", "SourceAndObject", "User", ' +
        'limits[0].burst: Invalid value: -1: must be positive, limits[0].qps: Invalid value: 0: must be positive]',
    ],
    [
      'EventRateLimit',
      events({ type: 'User', qps: 1, burst: 1, cacheSize: -1 }),
      'limits[0].cacheSize: Invalid value: -1: must not be negative',
    ],
    ['ImagePolicyWebhook', policy({ allowTTL: -2 }), 'valid value is between 1s and 30m0s, got -2s'],
    ['ImagePolicyWebhook', policy({ retryBackoff: 300_001 }), 'valid value is between 1ns and 5m0s, got 5m0.001s'],
    ['ImagePolicyWebhook', policy({ denyTTL: -1 }), 'stat nowhere: no such file or directory'],
    [
      'PodTolerationRestriction',
      typed('podtolerationrestriction', { default: [{ key: 'a', operator: 'Like' }] }),
      'invalid config: [podtolerationrestriction.default[0].operator: Unsupported value: "Like": supported values: "Equal", "Exists"]',
    ],
    ['PodNodeSelector', { podNodeSelectorPluginConfig: { ns: 1 } }, 'podNodeSelectorPluginConfig must be an object'],
  ])('%s refuses %j', async (name, configuration, why) => {
    await expect(of(name, configuration)).rejects.toThrow(
      `failed to initialize admission: couldn't init admission plugin "${name}": ${why}`,
    );
  });

  it('applies where namespaces set nothing', async () => {
    const selectors = { clusterDefaultNodeSelector: 'a=b', exempt: 'c=d' };
    const server = closeAfterTest(
      await openServer({
        dialect: 'k8s',
        admission: [
          ...(await of('PodNodeSelector', { podNodeSelectorPluginConfig: selectors })),
          ...(
            await of(
              'PodTolerationRestriction',
              typed('podtolerationrestriction', { default: [{ key: 'k', operator: 'Exists' }] }),
            )
          ).filter((make) => !defaultAdmission.includes(make)),
        ].filter((make) => make !== serviceAccountAdmission),
      }),
    );
    await server.load([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'exempt' } }]);
    const { value } = await newPod(server);
    expect(value.spec.nodeSelector).toEqual({ a: 'b' });
    expect(value.spec.tolerations).toContainEqual({ key: 'k', operator: 'Exists' });
    expect((await newPod(server, spec, 'exempt')).message).toContain('conflict with its namespace whitelist');
  });
});

describe('a configuration file for credentials of webhooks', () => {
  const kubeconfig = {
    users: [
      { name: 'hook.example.com', user: { token: 'exact' } },
      { name: '*.example.com', user: { username: 'a', password: 'b' } },
      { name: 'other.test:8443', user: { token: 'port' } },
      { name: '*', user: { token: 'any' } },
    ],
  };
  const webhooks = (kubeConfigFile: string) => ({
    name: 'ValidatingAdmissionWebhook',
    configuration: { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'WebhookAdmissionConfiguration', kubeConfigFile },
  });

  it.each([
    ['https://hook.example.com/x', 'Bearer exact'],
    ['https://hook.example.com:443/x', 'Bearer exact'],
    ['https://second.example.com/x', `Basic ${btoa('a:b')}`],
    ['https://other.test:8443/x', 'Bearer port'],
    ['https://other.test/x', 'Bearer any'],
  ])('selects credentials by the host: %s', async (url, authorization) => {
    const shown: (string | null)[] = [];
    const fetch: Fetch = async (_, init) => {
      shown.push(new Headers(init?.headers).get('authorization'));
      const { apiVersion, kind, request } = JSON.parse(String(init?.body));
      return Response.json({ apiVersion, kind, response: { uid: request.uid, allowed: true } });
    };
    const server = await serverWith([webhooks(file('users.json', kubeconfig))], fetch);
    const hook = {
      name: 'a.example.com',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      clientConfig: { url },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }],
    };
    await ask(server, {
      method: 'POST',
      path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      body: { metadata: { name: 'w' }, webhooks: [hook] },
    });
    const { status } = await ask(server, {
      method: 'POST',
      path: '/api/v1/namespaces/default/configmaps',
      body: { metadata: { name: 'c' } },
    });
    expect([status, shown]).toEqual([201, [authorization]]);
  });

  it('requires a complete path', async () => {
    await expect(pluginsOf([webhooks('users.json')])).rejects.toThrow(
      'kubeConfigFile: Invalid value: "users.json": must be an absolute file path',
    );
  });

  it.each([
    [{ exec: EXEC }, 'user "a" uses exec, which is not supported for webhooks'],
    [{ 'auth-provider': { name: 'x' } }, 'user "a" uses auth-provider, which is not supported'],
  ])('cannot name commands or providers: %j', async (user, why) => {
    const users = file('commands.json', { ...kubeconfig, users: [{ name: 'a', user }] });
    await expect(pluginsOf([webhooks(users)])).rejects.toThrow(why);
  });
});

describe('the admission configuration file', () => {
  it('may name plug-ins that do not run, or have no configuration', async () => {
    const wrong = { name: 'PodSecurity', configuration: podSecurity({ defaults: { enforce: 'x' } }) };
    const plugins = await pluginsOf(
      [wrong, { name: 'NamespaceLifecycle', path: 'nowhere' }],
      ['--disable-admission-plugins=PodSecurity'],
    );
    expect(plugins.length).toBeGreaterThan(10);
  });

  it('may be the configuration of a plug-in that has no kind, as in early releases', async () => {
    const selectors = { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: 'a=b' } };
    const admission = await pluginsBy(file('legacy', selectors), ['--enable-admission-plugins=PodNodeSelector']);
    const used = admission.filter((make) => make !== serviceAccountAdmission);
    const server = closeAfterTest(await openServer({ dialect: 'k8s', admission: used }));
    expect((await newPod(server)).value.spec.nodeSelector).toEqual({ a: 'b' });
    const policy = file('policy', { imagePolicy: { kubeConfigFile: 'x', allowTTL: 1, denyTTL: 1, retryBackoff: 5 } });
    expect((await pluginsBy(policy)).length).toBeGreaterThan(10);
    await expect(pluginsBy(policy, ['--enable-admission-plugins=ImagePolicyWebhook'])).rejects.toThrow(
      'couldn\'t init admission plugin "ImagePolicyWebhook"',
    );
  });

  it.each([
    ['if it does not exist', () => join(folder, 'nowhere'), 'unable to read admission control configuration from'],
    [
      'if it is of another kind',
      () => file('a', { apiVersion: 'v1', kind: 'Pod' }),
      'no kind "Pod" is registered for version "v1"',
    ],
    ['if it has no kind', () => file('b', {}), "Object 'Kind' is missing"],
  ])('is refused %s', async (_, path, why) => {
    const plugins = pluginsBy(path());
    await expect(plugins).rejects.toThrow('failed to initialize admission: failed to read plugin config: ');
    await expect(plugins).rejects.toThrow(why);
  });
});
