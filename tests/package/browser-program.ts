import { ApiServer, configMap, isConflict } from 'orch-apiserver';
import { createFakeClock } from 'orch-apiserver/testing';

declare const report: (value: unknown) => void;

// A page that contains a control plane.
const server = new ApiServer({ dialect: 'k8s', clock: createFakeClock('2030-01-01T00:00:00Z') });
await server.start();
const client = server.client();
const where = { namespace: 'default' };
const watch = await client.watch(configMap, { ...where, fieldSelector: 'metadata.name=settings' }).opened();
const made = await client.create(configMap, { metadata: { name: 'settings' }, data: { color: 'red' } }, where);
await client.update(configMap, 'settings', (draft) => void (draft.data = { color: 'blue' }), where);
const conflict = await client.replace(configMap, made, where).catch(isConflict);
const events: string[] = [];
for await (const { type, object } of watch) {
  events.push(`${type} ${'data' in object ? object.data?.['color'] : ''}`);
  if (events.length === 2) break;
}
const admin = { username: 'admin', groups: ['system:masters'] };
const answer = await server.fetch(new Request('https://server/api/v1/namespaces/default/configmaps/settings'), {
  user: admin,
});
const { data, metadata } = await answer.json();
const anonymous = await server.fetch(new Request('https://server/api/v1/secrets'));
const { certificate } = await server.certificateAuthority();
const saved = await server.save();
await server.close();

const restored = new ApiServer({ dialect: 'k8s' });
await restored.load(saved);
await restored.start();
const again = await restored.client().get(configMap, 'settings', where);
await restored.close();
report({
  events,
  conflict,
  status: answer.status,
  data,
  created: metadata.creationTimestamp,
  anonymous: anonymous.status,
  certificate: certificate.split('\n')[0],
  sameUid: again.metadata.uid === made.metadata.uid,
});
