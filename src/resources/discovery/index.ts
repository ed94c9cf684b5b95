import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { endpointSlice } from './endpoint-slice.js';

export type { EndpointSlice } from './discovery-v1.types.js';
export { endpointSlice };

/** The kinds of the group discovery. */
export const discoveryKinds: readonly ResourceDefinition[] = [endpointSlice];
