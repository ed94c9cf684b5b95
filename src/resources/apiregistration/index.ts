import type { ResourceDefinition } from '../../registry/resource-definition.js';
import { apiService } from './api-service.js';

export type { APIService as ApiService } from './apiregistration-v1.types.js';
export { apiService };

/** The kinds of the group apiregistration. */
export const apiregistrationKinds: readonly ResourceDefinition[] = [apiService];
