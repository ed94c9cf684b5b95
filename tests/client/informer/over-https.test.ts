import { listen } from '../../../src/http/index.js';
import { kubeconfigClient } from '../../../src/kubeconfig/kubeconfig-client.js';
import { describeInformer } from './describe-informer.js';

describeInformer('over HTTPS', async (server) => {
  const listener = await listen(server);
  const text = await listener.kubeconfig();
  const client = await kubeconfigClient({ text, dialect: 'k8s', userAgent: 'informer' });
  return { client, close: () => listener.close() };
});
