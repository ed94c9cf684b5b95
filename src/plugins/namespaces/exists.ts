import type { AdmissionAttributes, AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { readAnew } from '../../meta/host.js';

/** Refuses writes in a namespace that does not exist. */
export const namespaceExists: AdmissionPluginFactory = (host) => {
  const namespaces = host.lister('', 'namespaces');
  return {
    name: 'NamespaceExists',
    handles: isInNamespace,
    validate({ namespace }) {
      return readAnew(host, () => {
        if (!namespaces.get('', namespace)) throw apiError.notFound({ group: '', resource: 'namespaces' }, namespace);
      });
    },
  };
};

/** Returns whether a request concerns an object in a namespace. A Namespace object itself does not count. */
export const isInNamespace = ({ namespace, kind }: AdmissionAttributes): boolean =>
  namespace !== '' && (kind.group !== '' || kind.kind !== 'Namespace');
