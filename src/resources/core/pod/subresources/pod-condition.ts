import { formatTime } from '../../../../meta/clock.js';
import type { Host } from '../../../../meta/host.js';
import type { Pod } from '../pod-schema.js';

interface NewCondition {
  readonly type: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The pod with a condition that is true from now on, unless it already was. */
export function withTrueCondition(pod: Pod, condition: NewCondition, { clock }: Pick<Host, 'clock'>): Pod {
  const { conditions = [] } = pod.status;
  const place = conditions.findIndex(({ type }) => type === condition.type);
  const known = conditions[place];
  const lastTransitionTime = known?.status === 'True' ? known.lastTransitionTime : formatTime(clock.now());
  const next = { ...condition, status: 'True', lastProbeTime: null, lastTransitionTime };
  const all = known ? conditions.with(place, next) : [...conditions, next];
  return { ...pod, status: { ...pod.status, conditions: all } };
}
