import { defineResource, fieldError, type ObjectOf } from 'orch-apiserver';
import * as z from 'zod';

/** A period in which nothing is deployed. */
export const freeze = defineResource({
  group: 'release.example.com',
  version: 'v1',
  kind: 'Freeze',
  plural: 'freezes',
  scope: 'Namespaced',
  schema: z.object({ spec: z.object({ from: z.int(), until: z.int(), reason: z.string().min(1) }) }),
  strategy: {
    // A schema cannot express a rule about two fields.
    validate: ({ spec }) =>
      spec.from < spec.until ? [] : [fieldError.invalid('spec.until', spec.until, 'must be after spec.from')],
  },
});
export type Freeze = ObjectOf<typeof freeze>;
