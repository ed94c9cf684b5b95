import type { ServedKind } from '../../admission/admission-plugin.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { ParamKind, ParamRef } from '../../resources/admissionregistration/admissionregistration-v1.types.js';
import { labelSelectorOf } from '../../selectors/label-selector-object.js';

/** The error for an unusable policy or binding. The failure policy decides what it means. */
export class ConfigurationError extends Error {}

/**
 * Returns the parameters that a binding refers to. The policy is evaluated once for each, or once without parameters.
 * @param served the kind of the parameters, if the policy has one
 * @param namespace of the request's object, '' for none
 * @throws ConfigurationError when required parameters are missing, or the reference does not fit the kind.
 */
export async function collectParams(
  kind: ParamKind | undefined,
  served: ServedKind | undefined,
  ref: ParamRef | undefined,
  namespace: string,
): Promise<readonly (ApiObject | undefined)[]> {
  if (!kind || !served || !ref) return [undefined];
  const found = await find(served, ref, namespace);
  if (found.length === 0 && ref.parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

async function find(served: ServedKind, ref: ParamRef, requestNamespace: string): Promise<readonly ApiObject[]> {
  const { name = '', namespace = '', selector } = ref;
  const paramNamespace = namespace === '' ? requestNamespace : namespace;
  if (served.namespaced && paramNamespace === '')
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  if (!served.namespaced && namespace !== '')
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const within = served.namespaced ? paramNamespace : '';
  if (name !== '') {
    const one = await served.get(within, name);
    return one ? [one] : [];
  }
  if (!selector) throw new ConfigurationError('one of name or selector must be provided');
  const { matches } = labelSelectorOf(selector);
  return (await served.list(within)).filter(({ metadata }) => matches(metadata.labels));
}
