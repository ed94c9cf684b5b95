import { expect, it } from 'vitest';
import { anonymous } from '../../../src/exports/authentication.js';
import { alwaysAllow } from '../../../src/exports/authorization.js';
import { namespace, pod } from '../../../src/exports/kinds.js';
import { podSecurity } from '../../../src/plugins/pod-security/pod-security.js';
import { requestsTo } from '../../support/ask.js';
import { closeAfterTest, startServer } from '../../support/servers.js';

const PREFIX = 'pod-security.kubernetes.io/';

/** Starts a server with a namespace that has these levels. */
async function start(levels: Readonly<Record<string, string>>, options: Parameters<typeof podSecurity>[0] = {}) {
  const server = closeAfterTest(
    await startServer({
      dialect: 'k8s',
      controllers: { mode: 'stepped' },
      authentication: (defaults) => [...defaults, anonymous()],
      authorization: [alwaysAllow()],
      admission: [podSecurity(options)],
    }),
  );
  const labels = Object.fromEntries(Object.entries(levels).map(([name, level]) => [PREFIX + name, level]));
  const client = server.client();
  await client.create(namespace, { metadata: { name: 'n', labels } } as never);
  let count = 0;
  const make = (spec: object = {}, context: object = {}) => {
    const containers = [{ name: 'c', image: 'i', securityContext: context }];
    const made = client.create(pod, { metadata: { name: `p${count++}` }, spec: { containers, ...spec } } as never, {
      namespace: 'n',
    });
    return made.then(
      () => 'fine',
      (error: Error) => error.message.replace(/^.*? is forbidden: violates PodSecurity /, ''),
    );
  };
  return { server, client, make };
}

it('accepts every pod if no level is configured', async () => {
  const { make } = await start({});
  expect(await make({ hostPID: true })).toBe('fine');
});

it.each([
  [{ hostPID: true, hostNetwork: true }, {}, 'host namespaces (hostNetwork=true, hostPID=true)'],
  [
    {},
    { capabilities: { add: ['SYS_TIME', 'CHOWN'] } },
    'non-default capabilities (container "c" must not include "SYS_TIME" in securityContext.capabilities.add)',
  ],
  [{ volumes: [{ name: 'v', hostPath: { path: '/' } }] }, {}, 'hostPath volumes (volume "v")'],
  [
    { securityContext: { seccompProfile: { type: 'Unconfined' } } },
    {},
    'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    {},
    { seLinuxOptions: { type: 'spc_t', role: 'r' } },
    'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "spc_t"; role may not be set)',
  ],
  [{ securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }, {}, 'forbidden sysctls (kernel.msgmax)'],
])('the baseline refuses %o with %o', async (spec, context, why) => {
  const { make } = await start({ enforce: 'baseline' });
  expect(await make()).toBe('fine');
  expect(await make(spec, context)).toBe(`"baseline:latest": ${why}`);
});

it('the restricted level requires the fields that make a pod safe', async () => {
  const { make } = await start({ enforce: 'restricted', 'enforce-version': 'v1.31' });
  expect(await make()).toBe(
    '"restricted:v1.31": allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  );
  const good = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
  const securityContext = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  expect(await make({ securityContext }, good)).toBe('fine');
  expect(await make({ securityContext }, { ...good, runAsUser: 0 })).toContain('runAsUser=0 (container "c" must not');
  const volumes = [{ name: 'n', nfs: { server: 's', path: '/' } }];
  expect(await make({ securityContext, volumes }, good)).toContain(
    'restricted volume types (volume "n" uses restricted volume type "nfs")',
  );
});

it('applies the rules of the configured release', async () => {
  const { make } = await start({ enforce: 'restricted', 'enforce-version': 'v1.18' });
  // That release checked neither capabilities nor the fields of seccomp.
  expect(await make({ securityContext: { runAsNonRoot: true } }, { allowPrivilegeEscalation: false })).toBe('fine');
});

it('warns of what another level would refuse, and exempts configured users', async () => {
  const { server, make } = await start({ warn: 'baseline' }, { exemptions: { runtimeClasses: ['kata'] } });
  const { post } = requestsTo(server);
  const spec = { containers: [{ name: 'c', image: 'i' }], hostPID: true };
  const path = '/api/v1/namespaces/n/pods';

  expect(String((await post(path, { metadata: { name: 'a' }, spec })).headers['Warning'])).toContain(
    'would violate PodSecurity \\"baseline:latest\\": host namespaces (hostPID=true)',
  );
  const exempt = await post(path, { metadata: { name: 'b' }, spec: { ...spec, runtimeClassName: 'kata' } });
  expect(exempt.headers['Warning'] ?? '').toBe('');
  expect(await make({ hostPID: true })).toBe('fine');
});

it('refuses pods, but not templates, in a namespace that does not exist and that no other plug-in refuses', async () => {
  const { server } = await start({}, { exemptions: { usernames: ['jane'] } });
  const { post } = requestsTo(server);
  const spec = { containers: [{ name: 'c', image: 'i' }], hostPID: true };
  const refused = await post('/api/v1/namespaces/missing/pods', { metadata: { name: 'a' }, spec });
  expect([refused.status, refused.value.message]).toEqual([
    500,
    'Internal error occurred: failed to lookup namespace "missing"',
  ]);
  const template = { metadata: {}, template: { metadata: {}, spec } };
  const path = '/api/v1/namespaces/missing/podtemplates';
  expect((await post(path, { ...template, metadata: { name: 'a' } })).status).toBe(201);
  const exempt = server.client({ user: { username: 'jane' } });
  await exempt.create(pod, { metadata: { name: 'a' }, spec } as never, { namespace: 'missing' });
});

it('follows the labels of namespaces, and checks the existing pods', async () => {
  const { server, client, make } = await start({});
  await expect(client.patch(namespace, 'n', { metadata: { labels: { [`${PREFIX}warn`]: 'strict' } } })).rejects.toThrow(
    'metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: "strict": must be one of privileged, baseline, restricted',
  );
  await make({ hostPID: true });
  await make({ hostNetwork: true });
  const body = { metadata: { labels: { [`${PREFIX}enforce`]: 'baseline' } } };
  const { headers } = await requestsTo(server).merge('/api/v1/namespaces/n', body);
  expect(String(headers['Warning'])).toContain('p0 (and 1 other pod): host namespaces');
});

it('warns that a namespace is exempt, and checks one pod of each controller first', async () => {
  const { server } = await start({}, { exemptions: { namespaces: ['n'] } });
  const relabel = (labels: object) => requestsTo(server).merge('/api/v1/namespaces/n', { metadata: { labels } });
  const { headers } = await relabel({ [`${PREFIX}enforce`]: 'baseline', [`${PREFIX}warn`]: 'restricted' });
  expect(String(headers['Warning'])).toContain(
    'namespace \\"n\\" is exempt from Pod Security, and the policy (enforce=baseline:latest, warn=restricted:latest) will be ignored',
  );
  expect((await relabel({ [`${PREFIX}enforce`]: 'privileged' })).headers['Warning']).toBeUndefined();
});

it('says of a new namespace that is exempt which of its levels are ignored', async () => {
  const { server } = await start({}, { exemptions: { namespaces: ['fresh', 'plain'] } });
  const make = async (name: string, labels: object) =>
    (await requestsTo(server).post('/api/v1/namespaces', { metadata: { name, labels } })).headers['Warning'];
  expect(String(await make('fresh', { [`${PREFIX}audit`]: 'restricted', [`${PREFIX}warn`]: 'privileged' }))).toContain(
    'namespace \\"fresh\\" is exempt from Pod Security, and the policy (audit=restricted:latest) will be ignored',
  );
  expect(await make('plain', {})).toBeUndefined();
  expect(await make('other', { [`${PREFIX}enforce`]: 'baseline' })).toBeUndefined();
});
