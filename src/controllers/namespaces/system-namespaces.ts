import { isAlreadyExists } from '../../meta/api-error.js';
import { type Dialect, domainName, ofDialect } from '../../meta/dialect.js';
import { namespace } from '../../resources/core/index.js';
import type { ControllerDefinition } from '../controller.js';
import { type Seeds, seedsOf } from '../seed.js';
import { unless } from '../unless.js';

/** Namespaces that always exist (spec 7.10). */
const SYSTEM_NAMESPACES: readonly string[] = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

/** Returns a namespace in the form that the server creates. */
export const namespaceNamed = (name: string) => ({ metadata: { name }, spec: {} });

/** Returns namespaces as {@link Seeds}, which are written directly to the storage. */
export function namespaceSeeds(names: readonly string[], dialect: Dialect): Seeds {
  const objects = names.map((name) => ({
    metadata: { name, labels: { [domainName(dialect, 'metadata.name')]: name } },
    spec: { finalizers: [dialect.namespaceFinalizer] },
    status: { phase: 'Active' },
  }));
  return seedsOf(namespace, objects, { unowned: ['spec'] });
}

const systemSeeds = ofDialect((dialect) => [namespaceSeeds(SYSTEM_NAMESPACES, dialect)]);

/** Creates the system's namespaces at the start, and again whenever one is deleted. */
export const systemNamespaces: ControllerDefinition = {
  name: 'system-namespaces-controller',
  ofServer: true,
  isFirst: true,
  seeds: ({ dialect }) => systemSeeds(dialect),
  follow({ host, queue }) {
    for (const name of SYSTEM_NAMESPACES) queue.add(name);
    return host.lister('', 'namespaces').onChange((next, previous) => {
      const name = previous?.metadata.name ?? '';
      if (!next && SYSTEM_NAMESPACES.includes(name)) queue.add(name);
    });
  },
  async reconcile(name, { host, client }) {
    if (host.lister('', 'namespaces').get('', name)) return;
    await client.create(namespace, namespaceNamed(name)).catch(unless(isAlreadyExists));
  },
};
