import { int64, list, omitEmpty, omitNull, string, struct, structSchema } from '../../schema/authoring.js';
import type { ObjectSchema } from '../../schema/schema.js';

const text = string();
/** The schema of a toleration in an annotation or a configuration. */
export const toleration = struct('io.k8s.api.core.v1.Toleration', '', () => ({
  key: omitEmpty(text),
  operator: omitEmpty(text),
  value: omitEmpty(text),
  effect: omitEmpty(text),
  tolerationSeconds: omitNull(int64()),
}));
const only = struct('io.k8s.api.core.v1.Tolerations', '', () => ({ list: omitEmpty(list(toleration)) }));

/** Returns the schema of an object whose only member is a `list` of tolerations. */
export const tolerationList = (): ObjectSchema => structSchema(only);
