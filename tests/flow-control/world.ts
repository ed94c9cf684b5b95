import { FlowControl, type FlowDecision } from '../../src/flow-control/flow-control.js';
import type { RequestFacts } from '../../src/flow-control/matching.js';
import { reading } from '../../src/meta/clock.js';
import type { Lister } from '../../src/meta/host.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { parseQuery } from '../../src/meta/query.js';
import type { UserInfo } from '../../src/meta/user-info.js';
import type { LabelValues, MetricFamily, Metrics } from '../../src/metrics/metrics.js';
import type {
  FlowSchema,
  PriorityLevelConfiguration as PriorityLevel,
} from '../../src/resources/flowcontrol/flowcontrol-v1.types.js';
import { createFakeHost } from '../../src/testing/fake-host.js';

/** Objects of one kind that a test can change. */
class Objects<T extends ApiObject> implements Lister<T> {
  all: readonly T[] = [];
  readonly #callbacks = new Set<(next: T | undefined, previous: T | undefined) => void>();
  list = () => this.all;
  get = (_namespace: string, name: string) => this.all.find(({ metadata }) => metadata.name === name);
  byIndex = () => [];
  onChange(callback: (next: T | undefined, previous: T | undefined) => void): () => void {
    this.#callbacks.add(callback);
    return () => this.#callbacks.delete(callback);
  }
  set(all: readonly T[]): void {
    const before = this.all;
    this.all = all;
    for (const callback of this.#callbacks) callback(all.at(-1), before.at(-1));
  }
}

type Limited = NonNullable<PriorityLevel['spec']['limited']>;
type Level = ApiObject & PriorityLevel;
type Schema = ApiObject & FlowSchema;

/** Returns a level with queues, or one that refuses requests if `queues` is 0. */
export function levelOf(
  name: string,
  { queues = 16, handSize = 4, queueLengthLimit = 50, ...limited }: Partial<Limited> & Partial<Queuing> = {},
): Level {
  const limitResponse =
    queues === 0 ? { type: 'Reject' } : { type: 'Queue', queuing: { queues, handSize, queueLengthLimit } };
  return {
    metadata: { name, uid: `uid-of-${name}` },
    spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, lendablePercent: 0, limitResponse, ...limited } },
    status: {},
  } as unknown as Level;
}
interface Queuing {
  readonly queues: number;
  readonly handSize: number;
  readonly queueLengthLimit: number;
}

/** Assigns the requests of a group to a level. */
export function schemaOf(name: string, level: string, group: string, more: Partial<FlowSchema['spec']> = {}): Schema {
  return {
    metadata: { name, uid: `uid-of-${name}` },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: 100,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [{ kind: 'Group', group: { name: group } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
          nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        },
      ],
      ...more,
    },
    status: {},
  } as unknown as Schema;
}

export const memberOf = (username: string, ...groups: string[]): UserInfo => Object.freeze({ username, groups });

export const aGet: RequestFacts = {
  resourceRequest: true,
  verb: 'get',
  path: '/api/v1/namespaces/default/configmaps/a',
  group: '',
  version: 'v1',
  namespace: 'default',
  resource: 'configmaps',
  subresource: '',
  name: 'a',
};

export interface Ask extends Partial<RequestFacts> {
  readonly query?: string;
  /** The time limit of the request in milliseconds. */
  readonly limit?: number;
  /** Milliseconds since the arrival of the request. Default: 0. */
  readonly age?: number;
  readonly signal?: AbortSignal;
}

/** The values by family and labels. */
class Readings implements Metrics {
  readonly collected = new Map<string, () => Iterable<readonly [LabelValues, number]>>();
  readonly observed: (readonly [family: string, labels: LabelValues, value: number])[] = [];
  add() {}
  set() {}
  declare() {}
  observe(family: MetricFamily, labels: LabelValues, value: number) {
    this.observed.push([family.name, labels, value]);
    if (this.observed.length > 1_000) this.observed.length = 0;
  }
  series(family: MetricFamily, labels: LabelValues) {
    return { add() {}, observe: (value: number) => this.observe(family, labels, value) };
  }
  entries(count: (value: number) => void) {
    return { add: count };
  }
  collect(family: MetricFamily, read: () => Iterable<readonly [LabelValues, number]>) {
    this.collected.set(family.name, read);
  }
  /** Returns the value of a series; undefined if it does not exist. */
  value(family: string, ...labels: string[]): number | undefined {
    const series = [...(this.collected.get(`apiserver_flowcontrol_${family}`)?.() ?? [])];
    return series.find(([values]) => values.join() === labels.join())?.[1];
  }
}

/** Flow control without a server, with a clock that the test advances. */
export function flowWorld({ seats = 600, objects = 0 } = {}) {
  const schemas = new Objects<Schema>();
  const levels = new Objects<Level>();
  const metrics = new Readings();
  const { clock, signatures, dialect } = createFakeHost();
  const host = {
    clock,
    signatures,
    dialect,
    metrics,
    lister: <T extends ApiObject>(_group: string, resource: string) =>
      (resource === 'flowschemas' ? schemas : levels) as unknown as Lister<T>, // of the two kinds
  };
  const stored = { objects };
  const control = new FlowControl({ host, seats, objectCount: () => stored.objects });
  return {
    clock,
    control,
    levels,
    schemas,
    metrics,
    stored,
    begin(user: UserInfo, { query = '', limit = 60_000, age = 0, signal, ...facts }: Ask = {}) {
      const info = { ...aGet, ...facts };
      return control.begin({
        user,
        info,
        query: parseQuery(query),
        deadline: { began: reading(clock) - age, limit },
        request: { signal },
      });
    },
  };
}

/** Returns a decision that must be synchronous. */
export function atOnce(decision: FlowDecision | Promise<FlowDecision>): FlowDecision {
  if (decision instanceof Promise) throw new Error('it waits');
  return decision;
}
/** Returns a decision that must be pending. */
export function waits(decision: FlowDecision | Promise<FlowDecision>): Promise<FlowDecision> {
  if (!(decision instanceof Promise)) throw new Error(`it was decided: ${decision.retryAfter}`);
  return decision;
}
