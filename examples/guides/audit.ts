import { ApiServer } from 'orch-apiserver';
import { type AuditEvent, functionSink } from 'orch-apiserver/audit';

/** Records only who changed what. Events are delivered in batches, and no request waits for them. */
export function startAudited(take: (events: readonly AuditEvent[]) => void | Promise<void>) {
  return new ApiServer({
    dialect: 'k8s',
    audit: {
      policy: {
        omitStages: ['RequestReceived'],
        omitManagedFields: true,
        rules: [
          // Omit the requests of the server and its controllers.
          { level: 'None', users: ['system:apiserver'] },
          { level: 'None', userGroups: ['system:serviceaccounts:kube-system'] },
          // Never record the contents of Secrets and tokens.
          { level: 'Metadata', resources: [{ resources: ['secrets', 'serviceaccounts/token'] }] },
          { level: 'None', verbs: ['get', 'list', 'watch'] },
          { level: 'Request', resources: [{ resources: ['*'] }, { group: 'apps' }] },
        ],
      },
      sinks: [take],
    },
  });
}

/** For tests: every event is delivered before the response. */
export function auditedForTests() {
  const events: AuditEvent[] = [];
  const keep = functionSink((some) => void events.push(...some), { mode: 'blocking' });
  const server = new ApiServer({
    dialect: 'k8s',
    audit: { policy: { rules: [{ level: 'RequestResponse' }] }, sinks: [keep] },
  });
  return { server, events };
}
