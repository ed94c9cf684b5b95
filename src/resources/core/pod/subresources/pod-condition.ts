import { formatTime } from '../../../../meta/clock.js';
import type { Host } from '../../../../meta/host.js';
import type { Pod } from '../../core-v1.types.js';

interface NewCondition {
  readonly type: string;
  /** The status of the condition. Default True. */
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** Returns the pod with a condition. Its transition time is the current time if the status changes. */
export function withPodCondition(pod: Pod, condition: NewCondition, { clock }: Pick<Host, 'clock'>): Pod {
  const { conditions = [] } = pod.status;
  const place = conditions.findIndex(({ type }) => type === condition.type);
  const known = conditions[place];
  const { status = 'True' } = condition;
  const lastTransitionTime = known?.status === status ? known.lastTransitionTime : formatTime(clock.now());
  const next = { ...condition, status, lastProbeTime: null, lastTransitionTime };
  const all = known ? conditions.with(place, next) : [...conditions, next];
  return { ...pod, status: { ...pod.status, conditions: all } };
}

export const isPodReady = ({ status: { conditions = [] } }: Pod): boolean =>
  conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
