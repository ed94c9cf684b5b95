import { ApiServer, configMap, type New } from 'orch-apiserver';
import type { AdmissionPluginFactory } from 'orch-apiserver/admission';
import { alwaysAllow } from 'orch-apiserver/authorization';
import {
  type FlowSchema,
  flowSchema,
  type PriorityLevelConfiguration,
  priorityLevelConfiguration,
} from 'orch-apiserver/kinds';

/** The config map `slow` waits here until it is let on: its creation keeps its seat. */
export function holdingWrites(gate: Promise<void>): AdmissionPluginFactory {
  return () => ({
    name: 'HoldingWrites',
    handles: ({ resource }) => resource.resource === 'configmaps',
    validate: ({ name }) => (name === 'slow' ? gate : undefined),
  });
}

/** One at a time; the others are refused. With `{ type: 'Queue', queuing: { … } }` they wait. */
const narrow: New<PriorityLevelConfiguration> = {
  metadata: { name: 'narrow' },
  spec: {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 0, borrowingLimitPercent: 0, limitResponse: { type: 'Reject' } },
  },
};

/** What jane asks for goes there: of several flow schemas that match, the one with the least precedence counts. */
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

/** Jane writes, and reads meanwhile: the status of each, and what the refusal says of trying again. */
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
