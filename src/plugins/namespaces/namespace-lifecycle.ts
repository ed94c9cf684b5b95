import type { AdmissionAttributes } from '../../admission/admission-plugin.js';
import { isNamespace } from '../../admission/matching/rule.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { ruledPlugin } from '../../admission/ruled-plugin.js';
import { type ApiError, apiError } from '../../meta/api-error.js';
import { groupOf } from '../../meta/dialect.js';
import { readAnew } from '../../meta/host.js';
import type { Namespace } from '../../resources/core/core-v1.types.js';

const NAMESPACES = { group: '', resource: 'namespaces' } as const;
const UNDELETABLE = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Refuses to create objects in a namespace that is missing or terminating, and to delete the system's namespaces (spec 17.2). Reviews of
 * the caller's own permissions are admitted in any namespace, so that the response does not reveal which namespaces exist.
 */
export const namespaceLifecycle = ruledPlugin({
  name: 'NamespaceLifecycle',
  rules: [
    { operations: ['CREATE', 'UPDATE'], apiGroups: ['*'], resources: ['*/*'] },
    { operations: ['DELETE'], apiGroups: [''], resources: ['namespaces/*'] },
  ],
  create(host) {
    const reviews = groupOf(host.dialect, 'authorization');
    const namespaces = host.lister<Namespace>('', 'namespaces');
    const requireLiving = (attributes: AdmissionAttributes): undefined => {
      const { operation, namespace } = attributes;
      const { group, resource } = attributes.resource;
      if (namespace === '' || (group === reviews && resource === 'localsubjectaccessreviews')) return;
      const found = namespaces.get('', namespace);
      if (!found) throw apiError.notFound(NAMESPACES, namespace);
      const leaving = found.metadata.deletionTimestamp !== undefined || found.status.phase === 'Terminating';
      if (operation === 'CREATE' && leaving) throw beingTerminated(attributes);
    };
    return {
      handles: (attributes) => attributes.namespace !== '' || isNamespace(attributes),
      admit(attributes) {
        const { operation, name } = attributes;
        if (operation === 'DELETE' && isNamespace(attributes) && UNDELETABLE.has(name))
          throw apiError.forbidden(NAMESPACES, name, 'this namespace may not be deleted');
        return readAnew(host, () => requireLiving(attributes));
      },
      // The namespace is checked again at the commit, because it may have been deleted while webhooks were called.
      atCommit: requireLiving,
    };
  },
});

function beingTerminated(attributes: AdmissionAttributes): ApiError {
  return forbiddenRequest(
    attributes,
    `unable to create new content in namespace ${attributes.namespace} because it is being terminated`,
    [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${attributes.namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  );
}
