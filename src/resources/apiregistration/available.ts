import type { ApiServiceCondition } from './api-service-schema.js';
import type { APIService } from './apiregistration-v1.types.js';

/** The type of the condition that says whether requests are passed on. */
export const AVAILABLE = 'Available';

/** What the condition says of a group version that this server has itself. */
export const LOCAL = {
  type: AVAILABLE,
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
} as const;

/** Its condition Available; undefined until somebody looked. */
export const availabilityOf = ({ status }: Pick<APIService, 'status'>): ApiServiceCondition | undefined =>
  status.conditions?.find(({ type }) => type === AVAILABLE);

/** Whether requests may be passed on. */
export const isAvailable = (service: Pick<APIService, 'status'>): boolean => availabilityOf(service)?.status === 'True';
