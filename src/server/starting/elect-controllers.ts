import type { Client } from '../../client/client.js';
import type { ControllerDefinition, RunningController } from '../../controllers/controller.js';
import { EventRecorder } from '../../controllers/event-recorder.js';
import { LeaderElector } from '../../controllers/leader-election/leader-elector.js';
import type { LeaderTerm } from '../../controllers/leader-election/leader-term.js';
import { randomUuid } from '../../meta/random.js';
import { objectKey, type ServedResource } from '../../registry/served/served-resource.js';
import type { WriteFence } from '../../registry/writes/write-fence.js';
import { electionClient } from '../clients.js';
import type { ServerParts } from '../parts.js';

/** The source component of the election's events, as in upstream. */
const COMPONENT = 'kube-controller-manager';

/**
 * Runs controllers while this server is the elected leader among the servers on its storage. Resolves after the first attempt to become the
 * leader. If this is the only server, its controllers therefore run as soon as it has started.
 * @param resource the resource of Leases
 */
export async function electControllers(
  parts: ServerParts,
  resource: ServedResource,
  definitions: readonly ControllerDefinition[],
  clientFor: (definition: ControllerDefinition, fence: WriteFence) => Client,
): Promise<void> {
  const { host, environment, controllers, resolved } = parts;
  const { settings } = resolved.leaderElection;
  const { resourceName: name, resourceNamespace: namespace } = settings;
  const client = electionClient(environment);
  const identity = `${host.hostname}_${randomUuid(host.random)}`;
  const recorder = new EventRecorder({ host, client }, COMPONENT);
  const record = (what: string) => {
    host.log(`leader election: ${identity} ${what}`);
    const { metadata } = host.lister(resource.gvr.group, resource.gvr.resource).get(namespace, name) ?? {};
    const { uid = '', resourceVersion = '' } = metadata ?? {};
    const involvedObject = { apiVersion: resource.apiVersion, kind: 'Lease', namespace, name, uid, resourceVersion };
    void recorder.record({ involvedObject, type: 'Normal', reason: 'LeaderElection', message: `${identity} ${what}` });
  };
  let running: readonly RunningController[] = [];
  const elector = new LeaderElector({
    host,
    client,
    settings,
    identity,
    leaseKey: objectKey(resource, namespace, name),
    began(term: LeaderTerm) {
      running = controllers.start(definitions, host, (definition) => clientFor(definition, term));
      record('became leader');
    },
    ended(reason) {
      controllers.stop(running);
      running = [];
      record(`stopped leading`);
      host.log(`leader election: ${reason}`);
    },
  });
  await controllers.takePart(elector);
}
