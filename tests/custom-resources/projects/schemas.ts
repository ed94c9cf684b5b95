/**
 * Definitions of well-known projects in our own words: their names, types, limits, lists and rules, restricted to the fields of everyday
 * objects. Each has a valid object, and some invalid ones with the expected errors.
 */
export interface Project {
  readonly project: string;
  readonly definition: { readonly metadata: { readonly name: string }; readonly spec: { readonly group: string } };
  readonly kind: string;
  readonly version: string;
  readonly valid: { readonly metadata: { readonly name: string }; readonly spec: object };
  /** Changes of the valid object's spec, with the expected errors. */
  readonly invalid: readonly (readonly [spec: object, message: string])[];
  /** A field that is explained, and its type. */
  readonly explained: readonly [path: string, type: string];
  /** The cells that kubectl prints, without the age. */
  readonly row: readonly string[];
}

export const text = { type: 'string' };
export const shortText = (maxLength: number, more: object = {}) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  ...more,
});
export const texts = { type: 'array', items: text };
export const flag = { type: 'boolean' };
export const count = { type: 'integer', format: 'int32' };
export const map = { type: 'object', additionalProperties: text };
export const intOrString = { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] };
export const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
export const object = (properties: object, required: readonly string[] = [], more: object = {}) => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
  ...more,
});
export const list = (items: object, more: object = {}) => ({ type: 'array', items, ...more });
export const mapList = (items: object, keys: readonly string[], more: object = {}) =>
  list(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys, ...more });
export const rules = (...all: readonly (readonly [rule: string, message: string])[]) => ({
  'x-kubernetes-validations': all.map(([rule, message]) => ({ rule, message })),
});
export const conditions = mapList(
  object(
    {
      type: shortText(316, {
        pattern:
          '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      }),
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: text,
      message: text,
      lastTransitionTime: { type: 'string', format: 'date-time' },
    },
    ['type', 'status'],
  ),
  ['type'],
  { maxItems: 8 },
);

export interface Parts {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly version: string;
  readonly shortNames?: readonly string[];
  readonly spec: object;
  readonly status?: object;
  readonly columns?: readonly object[];
  readonly required?: readonly string[];
}
export const definitionOf = ({
  group,
  kind,
  plural,
  version,
  shortNames,
  spec,
  status,
  columns,
  required = ['spec'],
}: Parts) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural, kind, ...(shortNames ? { shortNames } : {}) },
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: object(
            {
              apiVersion: text,
              kind: text,
              metadata: { type: 'object' },
              spec,
              status: status ?? object({ conditions }),
            },
            required,
          ),
        },
        subresources: { status: {} },
        ...(columns ? { additionalPrinterColumns: columns } : {}),
      },
    ],
  },
});
