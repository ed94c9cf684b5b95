import { fieldPathSet } from './paths/path-set.js';

/** What identifies an object or is the server's own: no manager's set has these (spec 6.4). */
export const NEVER_OWNED = fieldPathSet([
  'apiVersion',
  'kind',
  'metadata',
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => `metadata.${name}`),
]);
