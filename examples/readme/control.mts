import { ApiServer, configMap } from 'orch-apiserver';
import { createFakeClock, diff, injectFaults } from 'orch-apiserver/testing';

const clock = createFakeClock('2030-01-01T00:00:00Z');
const server = new ApiServer({ clock });
await server.start();
clock.advance(24 * 3_600_000); // tomorrow
const fork = server.fork(); // an independent copy from here on, made in microseconds
const faults = injectFaults(fork);
faults.on({ verb: 'update', resource: 'configmaps', nth: 1 }).conflict(); // another writer is faster
const where = { namespace: 'default' };
await fork.client().create(configMap, { metadata: { name: 'settings' } }, where);
await fork.client().update(configMap, 'settings', (draft) => void (draft.data = { color: 'red' }), where);
faults.verify(); // the conflict happened, and the client tried again
console.log((await diff(server, fork)).text); // added ConfigMap default/settings
