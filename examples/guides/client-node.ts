import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { ApiServer } from 'orch-apiserver';
import { listen } from 'orch-apiserver/http';

/** Connects an unmodified client over HTTPS, with a client certificate that the server's own authority issued. */
export async function listNamespaces(): Promise<string[]> {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  const listener = await listen(server); // any free port of 127.0.0.1
  try {
    const config = new KubeConfig();
    config.loadFromString(await listener.kubeconfig());
    const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
    return items.map(({ metadata }) => metadata?.name ?? '');
  } finally {
    await listener.close();
    await server.close();
  }
}
