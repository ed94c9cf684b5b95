import { ApiServer } from 'orch-apiserver';
import type { ControllerDefinition } from 'orch-apiserver/controllers';
import { type Pod, pod } from 'orch-apiserver/kinds';

/** Plays the kubelet: every pod is running at once. Keys have the form `namespace/name`. */
export const fakeKubelet: ControllerDefinition = {
  name: 'fake-kubelet',
  // Queue the existing pods, then every change.
  follow({ host, queue }) {
    const pods = host.lister<Pod>('', 'pods');
    const add = ({ metadata }: Pod) => queue.add(`${metadata.namespace}/${metadata.name}`);
    for (const existing of pods.list()) add(existing);
    return pods.onChange((next) => {
      if (next) add(next);
    });
  },
  // The function may run several times for a key, and again after a failure, so it acts on the current state instead of the change.
  async reconcile(key, { host, client }) {
    const [namespace = '', name = ''] = key.split('/');
    const current = host.lister<Pod>('', 'pods').get(namespace, name);
    if (!current || current.status.phase === 'Running') return;
    await client.patch(pod, name, { status: { phase: 'Running' } }, { namespace, subresource: 'status' });
  },
};

/** A server whose pods run. The controller writes as its own account, `system:serviceaccount:kube-system:fake-kubelet`. */
export async function startWithPods(): Promise<ApiServer> {
  const server = new ApiServer({ dialect: 'k8s', controllers: (defaults) => [...defaults, fakeKubelet] });
  await server.start();
  return server;
}
