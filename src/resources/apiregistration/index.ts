import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { apiService } from './api-service.js';

export { apiService } from './api-service.js';
export type { ApiService } from './api-service-schema.js';

/** The kinds of the group apiregistration. */
export const apiregistrationKinds: readonly ResourceDefinition[] = [apiService];
