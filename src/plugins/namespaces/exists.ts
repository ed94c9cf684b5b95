import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { apiError } from '../../meta/api-error.js';
import { readAnew } from '../../meta/host.js';
import { isInNamespace } from './in-namespace.js';

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
