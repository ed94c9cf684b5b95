import { ApiServer } from 'orch-apiserver';
import { type AuditEvent, functionSink } from 'orch-apiserver/audit';

/** Keeps who changed what, and nothing else; events come in batches, and no request ever waits for them. */
export function startAudited(take: (events: readonly AuditEvent[]) => void | Promise<void>) {
  return new ApiServer({
    dialect: 'k8s',
    audit: {
      policy: {
        omitStages: ['RequestReceived'],
        omitManagedFields: true,
        rules: [
          // What the server and its controllers do by themselves.
          { level: 'None', users: ['system:apiserver'] },
          { level: 'None', userGroups: ['system:serviceaccounts:kube-system'] },
          // Never what secrets and tokens hold.
          { level: 'Metadata', resources: [{ resources: ['secrets', 'serviceaccounts/token'] }] },
          { level: 'None', verbs: ['get', 'list', 'watch'] },
          { level: 'Request', resources: [{ resources: ['*'] }, { group: 'apps' }] },
        ],
      },
      sinks: [take],
    },
  });
}

/** For a test: every event is there when the answer is. */
export function auditedForTests() {
  const events: AuditEvent[] = [];
  const keep = functionSink((some) => void events.push(...some), { mode: 'blocking' });
  const server = new ApiServer({
    dialect: 'k8s',
    audit: { policy: { rules: [{ level: 'RequestResponse' }] }, sinks: [keep] },
  });
  return { server, events };
}
