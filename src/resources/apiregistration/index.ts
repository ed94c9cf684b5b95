import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { APIService as ApiService } from './apiregistration-v1.types.js';

/** apiregistration/v1 APIService: a group version, and the server that serves it (spec 24.1). */
export const apiService = defineKind(
  {
    groupStem: 'apiregistration',
    version: 'v1',
    knownVersions: ['v1beta1'],
    kind: 'APIService',
    plural: 'apiservices',
    categories: ['api-extensions'],
    scope: 'Cluster',
    allowUnconditionalUpdate: false,
    subresources: { status: {} },
  },
  async () => (await import('./api-service.js')).apiServiceRules,
);

/** The kinds of the group apiregistration. */
export const apiregistrationKinds: readonly ResourceDefinition[] = [apiService];
