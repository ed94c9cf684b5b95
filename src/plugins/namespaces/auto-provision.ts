import type { AdmissionPluginFactory } from '../../admission/admission-plugin.js';
import { forbiddenRequest } from '../../admission/refusal.js';
import { isAlreadyExists } from '../../meta/api-error.js';
import { messageOf } from '../../values/message-of.js';
import { isInNamespace } from './exists.js';

/** Creates the namespace of a new object if it does not exist, except in a dry run. */
export const namespaceAutoProvision: AdmissionPluginFactory = ({ lister, createNamespace }) => {
  const namespaces = lister('', 'namespaces');
  return {
    name: 'NamespaceAutoProvision',
    rules: [{ operations: ['CREATE'], apiGroups: ['*'], resources: ['*/*'] }],
    handles: (attributes) => !attributes.dryRun && isInNamespace(attributes),
    admit(attributes) {
      const { namespace } = attributes;
      if (namespaces.get('', namespace)) return undefined;
      return createNamespace(namespace).then(
        () => undefined,
        (error: unknown) => {
          if (isAlreadyExists(error)) return undefined;
          throw forbiddenRequest(attributes, messageOf(error));
        },
      );
    },
  };
};
