import { type Dialect, groupOf } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import { claimUsage } from './claim-usage.js';
import { deviceClaimUsage } from './device-claim-usage.js';
import { countName, type UsageEvaluator } from './evaluator.js';
import { podUsage } from './pod-usage.js';
import { serviceUsage } from './service-usage.js';

interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** Kinds of the core group whose number can also be limited by their plain name. */
const PLAIN_NAMES = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets'];
// Resources that do not count: those that are not stored, and events.
const NOT_COUNTED: Readonly<Record<string, readonly string[]>> = {
  bindings: [''],
  events: ['', 'events'],
  localsubjectaccessreviews: ['authorization'],
};

const isCounted = ({ group, resource }: GroupResource, dialect: Dialect): boolean =>
  !Object.hasOwn(NOT_COUNTED, resource) || !NOT_COUNTED[resource]?.some((stem) => groupOf(dialect, stem) === group);

/** Returns the evaluator that counts the objects of a kind, whatever they contain. */
function objectCount({ group, resource }: GroupResource): UsageEvaluator {
  const names = [countName(group, resource), ...(group === '' && PLAIN_NAMES.includes(resource) ? [resource] : [])];
  const usage = Object.freeze(Object.fromEntries(names.map((name) => [name, '1'])));
  return {
    group,
    resource,
    operations: ['CREATE'],
    matching: (requested) => requested.filter((name) => names.includes(name)),
    usage: () => usage,
  };
}

/** The evaluators of a server. */
export interface UsageEvaluators {
  /** Returns the evaluator of a kind; undefined for a kind that does not count. */
  of(kind: GroupResource): UsageEvaluator | undefined;
  /** Returns the evaluators of all served kinds that limits with these names count. */
  matching(names: readonly string[], isServed: (kind: GroupResource) => boolean): readonly UsageEvaluator[];
}

export function usageEvaluators({ dialect, gates }: Pick<Host, 'dialect' | 'gates'>): UsageEvaluators {
  const special: readonly UsageEvaluator[] = [
    podUsage(gates),
    serviceUsage,
    claimUsage(dialect, gates),
    ...(gates.DynamicResourceAllocation ? [deviceClaimUsage(dialect)] : []),
  ];
  const counting = new Map<string, UsageEvaluator>();
  const of = (kind: GroupResource): UsageEvaluator | undefined => {
    const own = special.find(({ group, resource }) => group === kind.group && resource === kind.resource);
    if (own) return own;
    if (!isCounted(kind, dialect)) return undefined;
    const key = countName(kind.group, kind.resource);
    const known = counting.get(key) ?? objectCount(kind);
    counting.set(key, known);
    return known;
  };
  return {
    of,
    matching(names, isServed) {
      const kinds = [...special, ...names.flatMap(kindOf)].filter(isServed);
      const evaluators = new Set(kinds.flatMap((kind) => of(kind) ?? []));
      return [...evaluators].filter((evaluator) => evaluator.matching(names).length > 0);
    },
  };
}

/** Returns the kind whose number a limit counts; an empty list for other limits. */
function kindOf(name: string): readonly GroupResource[] {
  if (PLAIN_NAMES.includes(name)) return [{ group: '', resource: name }];
  if (!name.startsWith('count/')) return [];
  const kind = name.slice('count/'.length);
  const dot = kind.indexOf('.');
  return dot < 0 ? [{ group: '', resource: kind }] : [{ group: kind.slice(dot + 1), resource: kind.slice(0, dot) }];
}
