import { listAtomic, map, omitEmpty, required, string, struct } from '../../schema/authoring.js';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';

/** One requirement on labels, as objects hold it. */
export const labelSelectorRequirement = struct(
  `${META}.LabelSelectorRequirement`,
  {
    key: required(string(), 'Key of the label.'),
    operator: required(string({ typeName: 'v1.LabelSelectorOperator' }), 'In, NotIn, Exists or DoesNotExist.'),
    values: omitEmpty(listAtomic(string()), 'Values to compare with.'),
  },
  { description: 'One requirement on labels.' },
);

/** Picks objects by their labels (spec 4.8). */
export const labelSelector = struct(
  `${META}.LabelSelector`,
  {
    matchLabels: omitEmpty(map(string()), 'Labels and their values.'),
    matchExpressions: omitEmpty(listAtomic(labelSelectorRequirement), 'Requirements that must all hold.'),
  },
  { mapType: 'atomic', description: 'Picks objects by their labels.' },
);
