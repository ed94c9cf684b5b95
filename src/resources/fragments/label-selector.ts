import {
  listAtomic,
  map,
  type OutputOf,
  omitEmpty,
  required,
  string,
  struct,
  type Typed,
} from '../../schema/authoring.js';

/** One requirement on labels, as objects hold it. */
export const labelSelectorRequirement = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement',
  'One requirement on labels.',
  () => ({
    key: required(string(), 1, 'Key of the label.'),
    operator: required(string({ typeName: 'v1.LabelSelectorOperator' }), 2, 'In, NotIn, Exists or DoesNotExist.'),
    values: omitEmpty(listAtomic(string()), 3, 'Values to compare with.'),
  }),
);

/** Picks objects by their labels (spec 4.8). */
const labelSelectorStruct = struct(
  'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector',
  'Picks objects by their labels.',
  () => ({
    matchLabels: omitEmpty(map(string()), 1, 'Labels and their values.'),
    matchExpressions: omitEmpty(listAtomic(labelSelectorRequirement), 2, 'Requirements that must all hold.'),
  }),
  { mapType: 'atomic' },
);
export interface LabelSelector extends OutputOf<typeof labelSelectorStruct> {}
export const labelSelector: Typed<LabelSelector> = labelSelectorStruct;
