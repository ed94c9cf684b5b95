import { type Clock, formatTime } from '../../meta/clock.js';
import type { APIService } from './apiregistration-v1.types.js';

export type ApiServiceCondition = NonNullable<APIService['status']['conditions']>[number];

/** The type of the condition that reports whether requests can be forwarded to the backend of an APIService. */
export const AVAILABLE = 'Available';

/** The condition Available, without its transition time, of a group version that this server serves itself. */
export const LOCAL = {
  type: AVAILABLE,
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
} as const;

/** Returns the status of an APIService that this server serves itself. */
export const localStatus = (clock: Clock) => {
  const { type, status, reason, message } = LOCAL;
  return { conditions: [{ type, status, lastTransitionTime: formatTime(clock.now()), reason, message }] };
};

/** Returns the condition Available; undefined until the backend has been checked. */
export const availabilityOf = ({ status }: Pick<APIService, 'status'>): ApiServiceCondition | undefined =>
  status.conditions?.find(({ type }) => type === AVAILABLE);

/** Whether requests may be forwarded to the backend. */
export const isAvailable = (service: Pick<APIService, 'status'>): boolean => availabilityOf(service)?.status === 'True';
