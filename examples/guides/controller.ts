import { ApiServer } from 'orch-apiserver';
import type { ControllerDefinition } from 'orch-apiserver/controllers';
import { type Pod, pod } from 'orch-apiserver/kinds';

/** Stands in for the node's agent: every pod runs at once. Keys are `namespace/name`. */
export const fakeKubelet: ControllerDefinition = {
  name: 'fake-kubelet',
  // What is there already, then every change.
  follow({ host, queue }) {
    const pods = host.lister<Pod>('', 'pods');
    const add = ({ metadata }: Pod) => queue.add(`${metadata.namespace}/${metadata.name}`);
    for (const each of pods.list()) add(each);
    return pods.onChange((next) => {
      if (next) add(next);
    });
  },
  // Runs again for the same key, and after a failure later; so it looks at what is, not at what changed.
  async reconcile(key, { host, client }) {
    const [namespace = '', name = ''] = key.split('/');
    const current = host.lister<Pod>('', 'pods').get(namespace, name);
    if (!current || current.status.phase === 'Running') return;
    await client.patch(pod, name, { status: { phase: 'Running' } }, { namespace, subresource: 'status' });
  },
};

/** A server whose pods run. It is told apart from other writers by its account, `system:serviceaccount:kube-system:fake-kubelet`. */
export async function startWithPods(): Promise<ApiServer> {
  const server = new ApiServer({ dialect: 'k8s', controllers: (defaults) => [...defaults, fakeKubelet] });
  await server.start();
  return server;
}
