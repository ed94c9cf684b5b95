import { describe, expect, it } from 'vitest';
import { parseFlags } from '../../src/cli/parse-flags.js';
import { controllerSelection } from '../../src/cli/plugin-names.js';
import { defaultControllers } from '../../src/controllers/default-controllers.js';
import { clusterRole, flowSchema, priorityClass, service } from '../../src/exports/kinds.js';
import { type ApiServer, namespace, pod, serviceAccount } from '../../src/index.js';
import { selectControllers } from '../../src/server/resolve-options.js';
import { startServer } from '../support/servers.js';

/** The controllers of upstream that this server has: name and alias. */
const OF_THE_REFERENCE = [
  ['bootstrap-signer-controller', 'bootstrapsigner'],
  ['certificatesigningrequest-approving-controller', 'csrapproving'],
  ['certificatesigningrequest-cleaner-controller', 'csrcleaner'],
  ['certificatesigningrequest-signing-controller', 'csrsigning'],
  ['clusterrole-aggregation-controller', 'clusterrole-aggregation'],
  ['disruption-controller', 'disruption'],
  ['garbage-collector-controller', 'garbagecollector'],
  ['legacy-serviceaccount-token-cleaner-controller', 'legacy-service-account-token-cleaner'],
  ['namespace-controller', 'namespace'],
  ['persistentvolume-protection-controller', 'pv-protection'],
  ['persistentvolumeclaim-protection-controller', 'pvc-protection'],
  ['resourcequota-controller', 'resourcequota'],
  ['root-ca-certificate-publisher-controller', 'root-ca-cert-publisher'],
  ['serviceaccount-controller', 'serviceaccount'],
  ['serviceaccount-token-controller', 'serviceaccount-token'],
  ['token-cleaner-controller', 'tokencleaner'],
  ['validatingadmissionpolicy-status-controller'],
];

describe('controllers', () => {
  it("are either those of the server or selected by upstream's names", () => {
    const switched = defaultControllers.flatMap(({ switchedBy }) => (switchedBy ? [[...switchedBy]] : []));
    expect(switched.sort(([a = ''], [b = '']) => (a < b ? -1 : 1))).toEqual(OF_THE_REFERENCE);
    for (const { name, ofServer = false, switchedBy } of defaultControllers) expect(ofServer, name).toBe(!switchedBy);
  });

  it.each(OF_THE_REFERENCE.flat())('%s switches one controller off and on', (word) => {
    expect(controllerSelection(['*', `-${word}`])).toEqual({ selection: ['*', `-${word}`], notices: [] });
    const chosen = defaultControllers.find(({ switchedBy = [] }) => switchedBy.includes(word));
    const running = (words: readonly string[]) => selectControllers(defaultControllers, words);
    expect(running(['*', `-${word}`])).not.toContain(chosen);
    expect(running([word])).toEqual(defaultControllers.filter((each) => each.ofServer || each === chosen));
  });
});

describe('a server without controllers', () => {
  it.each(['orch', 'k8s'] as const)('has the objects that the API server creates itself (%s)', async (dialect) => {
    await using server = await startServer({ dialect, controllers: [] });
    const client = server.client();
    const names = async (list: Promise<{ items: readonly { metadata: { name?: string } }[] }>) =>
      (await list).items.map(({ metadata }) => metadata.name);
    expect(await names(client.list(namespace))).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
    expect(await names(client.list(service, { namespace: 'default' }))).toEqual([
      dialect === 'k8s' ? 'kubernetes' : 'orch',
    ]);
    expect(await names(client.list(priorityClass))).toEqual(['system-cluster-critical', 'system-node-critical']);
    expect(await names(client.list(clusterRole))).toContain('cluster-admin');
    expect(await names(client.list(flowSchema))).toContain('catch-all');
  });

  it('has no default ServiceAccount in its namespaces, which the controller manager creates', async () => {
    await using server = await startServer({ controllers: [] });
    const { items } = await server.client().list(serviceAccount, { namespace: 'default' });
    expect(items).toEqual([]);
  });
});

describe('privileged containers', () => {
  const privileged = {
    metadata: { name: 'agent' },
    spec: { containers: [{ name: 'a', image: 'a', securityContext: { privileged: true } }] },
  };
  const make = async (options: ConstructorParameters<typeof ApiServer>[0]) => {
    await using server = await startServer(options);
    return server.client().create(pod, privileged, { namespace: 'default' });
  };

  it("are allowed by the library's default", async () => {
    expect((await make({})).spec.containers[0]?.securityContext?.privileged).toBe(true);
    await expect(make({ allowPrivileged: false })).rejects.toThrow('disallowed by cluster policy');
  });

  it("are allowed by the program's default", () => {
    expect(parseFlags([]).values['allow-privileged']).toBe(true);
    expect(parseFlags(['--allow-privileged=false']).values['allow-privileged']).toBe(false);
  });
});
