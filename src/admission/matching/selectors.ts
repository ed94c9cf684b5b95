import { apiError } from '../../meta/api-error.js';
import type { Lister } from '../../meta/host.js';
import type { ApiObject } from '../../meta/object-meta.js';
import type { LabelSelector } from '../../selectors/label-selector.js';
import { type LabelSelectorObject, labelSelectorOf } from '../../selectors/label-selector-object.js';
import { ParseError } from '../../values/parse-error.js';
import type { AdmissionAttributes } from '../admission-plugin.js';
import { isNamespace, requestNamespace } from './rule.js';

/** The selectors of a webhook or a policy. They restrict the objects to which the rules apply. */
export interface Selecting {
  readonly matchPolicy?: string;
  readonly namespaceSelector?: LabelSelectorObject;
  readonly objectSelector?: LabelSelectorObject;
}

const compiled = new WeakMap<LabelSelectorObject, LabelSelector>();

/** Compiles a selector. @throws ApiError 500 for a stored selector that is not valid. */
function compile(selector: LabelSelectorObject): LabelSelector {
  const known = compiled.get(selector);
  if (known) return known;
  try {
    const compiledSelector = labelSelectorOf(selector);
    if (Object.isFrozen(selector)) compiled.set(selector, compiledSelector);
    return compiledSelector;
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw apiError.internal(error.message);
  }
}

const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: LabelSelectorObject) =>
  Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;

/** Returns whether the selector matches the labels of the new or the old object. */
function selectsObject(selector: LabelSelectorObject | undefined, { object, oldObject }: AdmissionAttributes): boolean {
  if (selector === undefined || isEmpty(selector)) return true;
  const { matches } = compile(selector);
  return [object, oldObject].some((each) => each?.metadata !== undefined && matches(each.metadata.labels));
}

/**
 * Returns whether the selector matches the labels of the object's namespace, or of the object itself if it is a Namespace. Returns true for
 * other cluster-scoped objects.
 * @throws ApiError 404 when the namespace does not exist.
 */
function selectsNamespace(
  selector: LabelSelectorObject | undefined,
  attributes: AdmissionAttributes,
  namespaces: Lister,
): boolean {
  const name = requestNamespace(attributes);
  if (selector === undefined || isEmpty(selector) || (name === '' && !isNamespace(attributes))) return true;
  return compile(selector).matches(namespaceLabels(attributes, name, namespaces));
}

function namespaceLabels(attributes: AdmissionAttributes, name: string, namespaces: Lister) {
  const { object, subresource } = attributes;
  if (isNamespace(attributes) && subresource === '' && object) return object.metadata.labels;
  const namespace: ApiObject | undefined = namespaces.get('', name);
  if (!namespace) throw apiError.notFound({ group: '', resource: 'namespaces' }, name);
  return namespace.metadata.labels;
}

/**
 * Returns whether both selectors match the request. An error is returned rather than thrown, because the caller must ignore it when the
 * rules do not match the request.
 */
export function selects(
  { namespaceSelector, objectSelector }: Selecting,
  attributes: AdmissionAttributes,
  namespaces: Lister,
): { readonly matches: boolean; readonly error?: unknown } {
  let error: unknown;
  for (const selected of [
    () => selectsNamespace(namespaceSelector, attributes, namespaces),
    () => selectsObject(objectSelector, attributes),
  ]) {
    try {
      if (!selected()) return { matches: false };
    } catch (caught) {
      error ??= caught;
    }
  }
  return error === undefined ? { matches: true } : { matches: true, error };
}
