import { isAlreadyExists } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { serviceAccount } from '../../resources/core/index.js';
import { type ControllerDefinition, stopAll } from '../controller.js';
import { isNamespaceGone } from '../namespaces/namespace-gone.js';
import { seedsOf } from '../seed.js';
import { unless } from '../unless.js';

/** Keeps a ServiceAccount `default` in every namespace that is not being deleted (spec 16.2). */
export const serviceAccounts: ControllerDefinition = {
  name: 'service-account-controller',
  switchedBy: ['serviceaccount-controller', 'serviceaccount'],
  seeds: ({ lister }) => {
    const living = lister<ApiObject>('', 'namespaces').list();
    return [
      seedsOf(
        serviceAccount,
        living.map(({ metadata }) => defaultAccount(metadata.name ?? '')),
      ),
    ];
  },
  follow({ host, queue }) {
    const namespaces = host.lister('', 'namespaces');
    for (const { metadata } of namespaces.list()) queue.add(metadata.name ?? '');
    const stopNamespaces = namespaces.onChange((next) => next && queue.add(next.metadata.name ?? ''));
    const stopAccounts = host.lister('', 'serviceaccounts').onChange((next, previous) => {
      if (!next && previous) queue.add(previous.metadata.namespace ?? '');
    });
    return stopAll([stopNamespaces, stopAccounts]);
  },
  async reconcile(namespace, { host, client }) {
    const object = host.lister<ApiObject>('', 'namespaces').get('', namespace);
    if (!object || object.metadata.deletionTimestamp !== undefined) return;
    if (host.lister('', 'serviceaccounts').get(namespace, 'default')) return;
    // These errors need no retry: the namespace is being deleted, or another client has created the account first.
    await client.create(serviceAccount, defaultAccount(namespace)).catch(unless(isAlreadyExists, isNamespaceGone));
  },
};

const defaultAccount = (namespace: string) => ({ metadata: { name: 'default', namespace } });
