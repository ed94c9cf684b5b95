import { defineKind } from '../../registry/built-in-kind.js';
import type { ResourceDefinition } from '../../registry/resource-definition.js';

export type { EndpointSlice } from './discovery-v1.types.js';

/** discovery/v1 EndpointSlice: a part of the endpoints of a service. */
export const endpointSlice = defineKind(
  { groupStem: 'discovery', version: 'v1', kind: 'EndpointSlice', plural: 'endpointslices', scope: 'Namespaced' },
  async () => (await import('./endpoint-slice.js')).endpointSliceRules,
);

/** The kinds of the group discovery. */
export const discoveryKinds: readonly ResourceDefinition[] = [endpointSlice];
