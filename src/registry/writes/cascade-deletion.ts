import { groupOf } from '../../meta/dialect.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { Write } from './write.js';

/**
 * Removes the objects of other kinds that are deleted together with an object of the kind. That object is already gone, so a failure is
 * only logged.
 */
export async function cascadeDeletion({ environment, context }: Write, { metadata }: ApiObject): Promise<void> {
  const { definition, dialect } = environment.resource;
  const { namespace = '', name = '' } = metadata;
  for (const { groupStem, version, plural } of definition.cascadesTo ?? []) {
    const store = context.kinds.find(groupOf(dialect, groupStem), version, plural);
    await store?.remove(context, namespace, name).catch((error: unknown) => {
      context.host.log(`${plural} ${namespace}/${name} stays behind its ${definition.singular}: ${String(error)}`);
    });
  }
}
