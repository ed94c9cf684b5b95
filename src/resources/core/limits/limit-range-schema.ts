import { always, listAtomic, type OutputOf, omitEmpty, required, string } from '../../../schema/authoring.js';
import { topLevel } from '../../../schema/object-meta-schema.js';
import { coreStruct, resourceList } from '../../fragments/core-struct.js';

const item = coreStruct('LimitRangeItem', 'Limits of one sort of thing.', () => ({
  type: required(
    string<string>({ typeName: 'v1.LimitType' }),
    1,
    'What is limited: Container, Pod or PersistentVolumeClaim.',
  ),
  max: omitEmpty(resourceList, 2, 'The largest amounts.'),
  min: omitEmpty(resourceList, 3, 'The smallest amounts.'),
  default: omitEmpty(resourceList, 4, 'The limits of those that name none.'),
  defaultRequest: omitEmpty(resourceList, 5, 'The requests of those that name none.'),
  maxLimitRequestRatio: omitEmpty(resourceList, 6, 'How many times its request a limit may be.'),
}));
export type LimitRangeItem = OutputOf<typeof item>;

const spec = coreStruct('LimitRangeSpec', 'Limits by sorts of things.', () => ({
  limits: required(listAtomic(item), 1, 'The limits, each sort of thing once.'),
}));

/** v1 LimitRange. */
export const limitRangeSchema = topLevel(
  'io.k8s.api.core.v1.LimitRange',
  'Limits of single objects of a namespace.',
  () => ({
    spec: always(spec, 2, 'The limits.'),
  }),
);
export type LimitRange = OutputOf<typeof limitRangeSchema>;
