const { ApiServer, namespace } = require('orch-apiserver');

async function main() {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  const { items } = await server.client().list(namespace);
  console.log(items.map(({ metadata }) => metadata.name).join(' '));
  await server.close();
}
main();
