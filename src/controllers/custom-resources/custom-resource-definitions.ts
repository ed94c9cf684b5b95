import type { ComputedFrom } from '../../custom-resources/naming.js';
import { equalJson } from '../../json/equal.js';
import { isConflict, isNotFound } from '../../meta/api-error.js';
import { formatTime } from '../../meta/clock.js';
import type { CustomResourceDefinition } from '../../resources/apiextensions/apiextensions-v1.types.js';
import { caBundleProblem } from '../../resources/apiextensions/ca-bundle.js';
import { conditionOf } from '../../resources/apiextensions/conditions.js';
import { customResourceDefinition } from '../../resources/apiextensions/index.js';
import type { ControllerContext, ControllerDefinition } from '../controller.js';
import { definitionLister, knownDefinitions } from './known-definitions.js';
import type { ServedDefinitions } from './served-definitions.js';

/**
 * Reconciles custom resource definitions (spec 21.7): accepts or refuses their names, serves their kinds, and deletes the custom resources
 * before a definition is removed. Keys are names of definitions.
 */
export const customResourceDefinitions: ControllerDefinition = {
  name: 'custom-resource-definitions',
  ofServer: true,
  // As in upstream, the custom resources of a deleted definition are deleted without calling webhooks, because the webhooks may have been
  // removed before the definition.
  deletesWithoutAdmission: true,
  follow({ host, queue }) {
    const lister = definitionLister(host);
    knownDefinitions(host);
    for (const { metadata } of lister.list()) queue.add(metadata.name ?? '');
    return lister.onChange((next, previous) => queue.add((next ?? previous)?.metadata.name ?? ''));
  },
  async reconcile(name, context) {
    const { host, queue } = context;
    const lister = definitionLister(host);
    const definition = lister.get('', name);
    // The modules are loaded with the first definition, because most servers have none.
    const [{ nextStatus }, { ServedDefinitions: Served }] = await Promise.all([
      import('../../custom-resources/naming.js'),
      import('./served-definitions.js'),
    ]);
    let served = servedBy.get(context);
    if (!served) servedBy.set(context, (served = new Served(context)));
    const group = definition?.spec.group ?? served.groupOf(name);
    const others = [...lister.byIndex(groupKeys, group ?? '')].filter(({ metadata }) => metadata.name !== name);
    // Definitions whose names were refused are queued again, because this change may have freed their names.
    const requeueRefusedDefinitions = () => {
      for (const other of others)
        if (conditionOf(other.status, 'NamesAccepted')?.status !== 'True') queue.add(other.metadata.name ?? '');
    };
    if (!definition) {
      served.remove(name);
      knownDefinitions(host).add(name, undefined);
      requeueRefusedDefinitions();
      return;
    }
    let next: CustomResourceDefinition;
    let computed: ComputedFrom;
    try {
      const { conversion } = definition.spec;
      const bundleProblem = conversion?.webhook && (await caBundleProblem(conversion));
      const now = formatTime(host.clock.now());
      const before = served.computed.get(name);
      const found = nextStatus(definition, others, host.dialect, bundleProblem, now, before);
      next = found.status === definition.status ? definition : { ...definition, status: found.status };
      computed = found.computed;
      served.serve(next);
    } finally {
      // The definition counts as known even if its kinds cannot be served. Otherwise deletions of namespaces, which wait for all
      // definitions to be known, would wait forever.
      knownDefinitions(host).add(name, definition);
    }
    try {
      if (next !== definition) {
        await context.client.replace(customResourceDefinition, next, { subresource: 'status' });
        served.computed.set(name, computed);
        if (!equalJson(next.status.acceptedNames, definition.status.acceptedNames)) requeueRefusedDefinitions();
      }
      if (definition.metadata.deletionTimestamp !== undefined) await served.removeObjects(name);
    } catch (error) {
      if (isNotFound(error)) return;
      if (!isConflict(error)) throw error;
      queue.add(name); // A conflict means that the definition has changed, so it is reconciled again.
    }
  },
};

const groupKeys = ({ spec }: CustomResourceDefinition): readonly string[] => [spec.group];

/**
 * The kinds that each server serves for its custom resource definitions. The key is the context of the server's controller for definitions.
 */
const servedBy = new WeakMap<ControllerContext, ServedDefinitions>();
