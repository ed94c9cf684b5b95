import { ApiServer, configMap } from 'orch-apiserver';

const server = new ApiServer({ dialect: 'k8s' });
await server.start();
const client = server.client();
const where = { namespace: 'default' };
const watch = await client.watch(configMap, { ...where, fieldSelector: 'metadata.name=settings' }).opened();
await client.create(configMap, { metadata: { name: 'settings' }, data: { color: 'red' } }, where);
await client.update(configMap, 'settings', (draft) => void (draft.data = { color: 'blue' }), where);
for await (const { type, object } of watch) {
  console.log(type, object.data);
  if (type === 'MODIFIED') break;
}
await server.close();
