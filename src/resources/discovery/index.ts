import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { endpointSlice } from './endpoint-slice.js';

export { type EndpointSlice, endpointSlice } from './endpoint-slice.js';

/** The kinds of the group discovery. */
export const discoveryKinds: readonly ResourceDefinition[] = [endpointSlice];
