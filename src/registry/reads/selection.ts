import { apiError } from '../../meta/api-error.js';
import type { ApiObject } from '../../meta/object-meta.js';
import { type FieldSelector, parseFieldSelector, requiredFieldValue } from '../../selectors/field-selector.js';
import { type LabelSelector, parseLabelSelector } from '../../selectors/label-selector.js';
import { ParseError } from '../../values/parse-error.js';
import { quote } from '../../values/quote.js';
import type { ServedResource } from '../served/served-resource.js';

/** The objects of a collection that a request selects. */
export interface Selection {
  /** Whether all objects are selected. */
  readonly everything: boolean;
  /** The only name that can match, when the field selector requires one. */
  readonly name: string | undefined;
  matches(object: ApiObject): boolean;
}

const everything: Selection = { everything: true, name: undefined, matches: () => true };

/** The two selectors of a request; one that the request does not have is undefined. */
export interface Selectors {
  readonly labels: LabelSelector | undefined;
  readonly fields: FieldSelector | undefined;
}

/**
 * Compiles the two selectors of a request.
 * @throws ApiError 400 for a field selector that names a field which the kind does not support (spec 4.9).
 */
export function createSelection(resource: ServedResource, { labels, fields }: Selectors): Selection {
  for (const { field } of fields?.requirements ?? []) checkField(resource, field);
  const selectable: Readonly<Record<string, (object: ApiObject) => string | undefined>> =
    resource.definition.selectableFields ?? {};
  const read = (object: ApiObject, field: string): string => {
    if (field === 'metadata.name') return object.metadata.name ?? '';
    if (field === 'metadata.namespace') return object.metadata.namespace ?? '';
    return (Object.hasOwn(selectable, field) ? selectable[field]?.(object) : undefined) ?? '';
  };
  if ((labels?.requirements.length ?? 0) === 0 && (fields?.requirements.length ?? 0) === 0) return everything;
  return {
    everything: false,
    name: fields && requiredFieldValue(fields, 'metadata.name'),
    matches: (object) =>
      (labels === undefined || labels.matches(object.metadata.labels)) &&
      (fields === undefined || fields.matches((field) => read(object, field))),
  };
}

/**
 * Parses the two selectors of a request.
 * @throws ApiError 400 for one that does not parse (spec 4.8).
 */
export function parseSelectors(labelSelector: string, fieldSelector: string): Selectors {
  return {
    labels: labelSelector === '' ? undefined : parseSelector(parseLabelSelector, labelSelector),
    fields: fieldSelector === '' ? undefined : parseSelector(parseFieldSelector, fieldSelector),
  };
}

/** Parses a selector. @throws ApiError 400 with the parser's message. */
function parseSelector<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof ParseError ? apiError.badRequest(error.message) : error;
  }
}

function checkField({ definition, namespaced, gvk }: ServedResource, field: string): void {
  const own = definition.selectableFields ?? {};
  const listsItsOwn = definition.ownFieldLabels ?? definition.selectableFields !== undefined;
  if (field === 'metadata.name' || Object.hasOwn(own, field)) return;
  if (field === 'metadata.namespace' && (namespaced || !listsItsOwn)) return;
  if (listsItsOwn === 'naming-the-kind')
    throw apiError.badRequest(`field label ${quote(field)} not supported for ${gvk.kind}`);
  throw apiError.badRequest(
    listsItsOwn
      ? `field label not supported: ${field}`
      : `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}
