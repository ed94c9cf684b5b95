import { omitEmpty, required, string, struct, time } from '../../schema/authoring.js';
import { long, text } from './core-struct.js';

/** What newer kinds hold as a condition (meta/v1). */
export const condition = struct('io.k8s.apimachinery.pkg.apis.meta.v1.Condition', 'A condition of the object.', () => ({
  type: required(text, 1, 'Type of the condition.'),
  status: required(string({ typeName: 'v1.ConditionStatus' }), 2, 'True, False or Unknown.'),
  observedGeneration: omitEmpty(long, 3, 'The generation it was found for.'),
  lastTransitionTime: required(time(), 4, 'When its status last changed.'),
  reason: required(text, 5, 'The reason, in one word.'),
  message: required(text, 6, 'The reason, for people.'),
}));
