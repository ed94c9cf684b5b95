import { ApiServer, configMap, type New } from 'orch-apiserver';
import type { AdmissionPluginFactory } from 'orch-apiserver/admission';
import { alwaysAllow } from 'orch-apiserver/authorization';
import {
  type FlowSchema,
  flowSchema,
  type PriorityLevelConfiguration,
  priorityLevelConfiguration,
} from 'orch-apiserver/kinds';

/** Delays the creation of the ConfigMap `slow` until it is released. Meanwhile, the request occupies its seat. */
export function holdingWrites(gate: Promise<void>): AdmissionPluginFactory {
  return () => ({
    name: 'HoldingWrites',
    handles: ({ resource }) => resource.resource === 'configmaps',
    validate: ({ name }) => (name === 'slow' ? gate : undefined),
  });
}

/** A priority level that executes one request at a time and refuses the others. With `{ type: 'Queue', queuing: { … } }` they wait. */
const narrow: New<PriorityLevelConfiguration> = {
  metadata: { name: 'narrow' },
  spec: {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } },
  },
};

/** Assigns the requests of jane to that level. If several flow schemas match, the one with the lowest precedence value applies. */
const janes: New<FlowSchema> = {
  metadata: { name: 'jane' },
  spec: {
    priorityLevelConfiguration: { name: 'narrow' },
    matchingPrecedence: 10,
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'jane' } }],
        resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] }],
      },
    ],
  },
};

/** Sends a write and a read of jane at the same time. Returns the status of each, and the Retry-After of the refusal. */
export async function refuseTheSecond() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  await using server = new ApiServer({
    dialect: 'k8s',
    limits: { priorityAndFairness: true },
    authorization: [alwaysAllow()],
    admission: (defaults) => [...defaults, holdingWrites(gate)],
  });
  await server.start();
  await server.client().create(priorityLevelConfiguration, narrow);
  await server.client().create(flowSchema, janes);

  const jane = { username: 'jane', groups: ['system:authenticated'] };
  const where = { namespace: 'default' };
  const first = server.client({ user: jane }).create(configMap, { metadata: { name: 'slow' } }, where);
  const path = 'https://server/api/v1/namespaces/default/configmaps';
  const second = await server.fetch(new Request(path), { user: jane });
  open();
  await first;
  const third = await server.fetch(new Request(path), { user: jane });
  return { second: second.status, retryAfter: second.headers.get('Retry-After'), third: third.status };
}
