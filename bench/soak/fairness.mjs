import { startServer } from '../servers/process.mjs';

const LEVEL = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'PriorityLevelConfiguration',
  metadata: { name: 'soak' },
  spec: {
    type: 'Limited',
    limited: {
      nominalConcurrencyShares: 5,
      lendablePercent: 0,
      borrowingLimitPercent: 0,
      // One queue for each flow, because a flow with few waiting requests would not fill several.
      limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 1, queueLengthLimit: 100 } },
    },
  },
};
const SCHEMA = {
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name: 'soak' },
  spec: {
    priorityLevelConfiguration: { name: 'soak' },
    matchingPrecedence: 500,
    distinguisherMethod: { type: 'ByUser' },
    rules: [
      {
        subjects: [{ kind: 'Group', group: { name: 'flows' } }],
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }],
      },
    ],
  },
};

/** Creates what the flows need: a namespace, permissions, a priority level. */
export async function prepareFairness(api) {
  const flows = '/apis/flowcontrol.apiserver.k8s.io/v1';
  await api.call('POST', '/api/v1/namespaces', { metadata: { name: 'fair' } });
  await api.call('POST', `${flows}/prioritylevelconfigurations`, LEVEL);
  await api.call('POST', `${flows}/flowschemas`, SCHEMA);
  await api.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name: 'flows' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'flows' }],
  });
}

/**
 * Requests twice the available seats for a while, from a separate process, because a process that also reads the watches would be the
 * bottleneck. Resolves with the numbers of served and refused requests of each flow.
 */
export async function overload({ port, ca }, milliseconds) {
  const callers = await startServer('../soak/flows.mjs');
  const counts = await callers.ask({ question: 'overload', server: { port, ca }, milliseconds });
  await callers.stop();
  if (counts.problem) throw new Error(counts.problem);
  return counts;
}
