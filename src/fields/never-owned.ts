import { fieldPathSet } from './paths/path-set.js';

/** The fields that identify an object or that only the server sets. No manager owns them (spec 6.4). */
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
