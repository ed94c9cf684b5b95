import https from 'node:https';
import { Api } from './api.mjs';

/** Seats of the level that both flows share: 5 of 250 shares of 600. */
const SEATS = 12;
/** What each flow asks for at once, in seats: twice what there is, and unevenly. */
const DEMAND = { 'flow-a': 7 / 6, 'flow-b': 5 / 6 };

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
      // One queue for each flow: with more, a flow of few waiting requests would not fill all of its own.
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

/** Makes what the flows need: a namespace, rights, a level of their own. */
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

/** Asks for twice the seats for a while; resolves with how many requests of each flow were served, and refused. */
export async function overload(server, milliseconds) {
  const served = { 'flow-a': 0, 'flow-b': 0 };
  let refused = 0;
  const begin = Date.now();
  // The beginning fills the queues.
  const counts = () => Date.now() - begin > milliseconds / 5;
  const flows = Object.entries(DEMAND).map(async ([user, share]) => {
    const callers = Math.round(SEATS * share);
    const agent = new https.Agent({ keepAlive: true, maxSockets: callers });
    const api = new Api(server, user, agent);
    const body = { metadata: { generateName: 'fair-' } };
    const call = async () => {
      while (Date.now() - begin < milliseconds) {
        // Of a kind that nobody watches: seats that are taken for watches make the virtual world of fair queuing run ahead, there
        // as here, and who comes first is served first then.
        const { status } = await api.call('POST', '/api/v1/namespaces/fair/secrets?dryRun=All', body);
        if (status === 201 && counts()) served[user]++;
        if (status === 429) refused++;
        else if (status !== 201) throw new Error(`${user}: ${status}`);
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
    api.close();
  });
  await Promise.all(flows);
  return { served, refused };
}
