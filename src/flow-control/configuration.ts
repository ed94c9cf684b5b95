import type { UserInfo } from '../meta/user-info.js';
import {
  type DefaultFlowSchema,
  type DefaultPriorityLevel,
  mandatoryFlowSchemas,
  mandatoryPriorityLevels,
} from '../resources/flowcontrol/default-objects.js';
import type {
  FlowSchema,
  PriorityLevelConfiguration as LevelObject,
} from '../resources/flowcontrol/flowcontrol-v1.types.js';
import { cachedByText } from '../values/memoize.js';
import { allocate } from './allocation.js';
import { FlowCounts } from './flow-request.js';
import { matchesRequest, matchesUser, type RequestFacts } from './matching.js';
import { type LevelHost, levelSpec, PriorityLevel } from './priority-level.js';
import type { Hand } from './shuffle-sharding.js';

type Rules = NonNullable<FlowSchema['spec']['rules']>;

/** A flow schema in use. Its priority level exists. */
export interface FlowSchemaInUse {
  readonly name: string;
  readonly uid: string;
  readonly rules: Rules;
  readonly distinguisher: string | undefined;
  readonly level: PriorityLevel;
  readonly counts: FlowCounts;
  /** Returns the queues that may be used by the flow of this schema with the given distinguisher. */
  readonly handOf: (distinguisher: string) => Hand | Promise<Hand>;
}

/** A flow schema that may match one user, with only those of its rules that match the user. */
interface Candidate {
  readonly schema: FlowSchemaInUse;
  readonly rules: Rules;
}

/** The name and uid of an object. Mandatory objects that are not stored have no uid. */
interface Identity {
  readonly name?: string;
  readonly uid?: string;
}

const CATCH_ALL = 'catch-all';

/** The combined configuration of flow schemas and priority levels. The mandatory ones apply even if they are not stored. */
export class Configuration {
  readonly #host: LevelHost;
  readonly #seats: number;
  #levels = new Map<string, PriorityLevel>();
  /** The flow schemas in order of precedence. */
  #schemas: readonly FlowSchemaInUse[] = [];
  #counts = new Map<string, FlowCounts>();
  /** The flow schemas that may match a user. Only frozen users are cached, because a user that is not frozen may still change. */
  #candidates = new WeakMap<UserInfo, readonly Candidate[]>();
  fairFraction = 0;

  /** @param seats the seats of the whole server */
  constructor(host: LevelHost, seats: number) {
    this.#host = host;
    this.#seats = seats;
  }

  get levels(): Iterable<PriorityLevel> {
    return this.#levels.values();
  }
  /** The number of requests that may wait in all queues, and the seats of all levels together. */
  get room(): { readonly waiting: number; readonly seats: number } {
    const levels = [...this.#levels.values()];
    const waiting = total(levels, ({ spec: { response } }) =>
      response.type === 'Queue' ? response.queues * response.queueLengthLimit : 0,
    );
    return { waiting, seats: total(levels, ({ nominal }) => nominal) };
  }
  get counts(): Iterable<FlowCounts> {
    return this.#counts.values();
  }

  /** Applies the stored objects. Requests that wait or are being served stay in their queues and keep their seats. */
  update(levels: readonly LevelObject[], schemas: readonly FlowSchema[]): void {
    this.#updateLevels(levels);
    this.#updateSchemas(schemas);
    const shares = total([...this.#levels.values()], ({ spec }) => spec.shares);
    for (const level of this.#levels.values()) level.setNominal(this.#seats, shares);
    this.adjustLimits();
  }

  /**
   * Divides the seats again, according to the demand since the last division, so that levels lend each other seats that they do not use.
   * Exempt levels get as many seats as they demanded. If the other levels need more seats than remain, each of them gets its guaranteed
   * seats and the same fraction of the seats that it needs beyond them.
   */
  adjustLimits(): void {
    const claims = [...this.#levels.values()].map((level) => ({ level, claim: level.claim() }));
    const exempt = claims.filter(({ level }) => level.isExempt);
    const limited = claims.filter(({ level }) => !level.isExempt);
    const { seats: sum } = this.room;
    const left = sum - total(exempt, ({ claim }) => claim.lower);
    const guaranteed = total(limited, ({ level }) => level.lower);
    const needed = total(limited, ({ claim }) => claim.lower);
    for (const { level, claim } of exempt) level.setCurrent(claim.lower, this.#seats);
    this.fairFraction = 0;
    if (left <= needed) {
      const fraction = left <= guaranteed ? 0 : (left - guaranteed) / (needed - guaranteed);
      for (const { level, claim } of limited)
        level.setCurrent(level.lower + Math.round((claim.lower - level.lower) * fraction), this.#seats);
      return;
    }
    const allocation = allocate(
      sum,
      limited.map(({ claim }) => claim),
    );
    this.fairFraction = allocation?.fairFraction ?? 0;
    for (const [i, { level }] of limited.entries()) level.setCurrent(allocation?.shares[i], this.#seats);
  }

  /** Returns the first flow schema that matches a request. */
  classify(user: UserInfo, info: RequestFacts): FlowSchemaInUse {
    for (const { schema, rules } of this.#candidatesFor(user))
      for (const rule of rules) if (matchesRequest(rule, info)) return schema;
    // No schema matches a user that belongs neither to system:authenticated nor to system:unauthenticated. Only an embedding program can
    // name such a user.
    const last = this.#schemas.find(({ name }) => name === CATCH_ALL);
    if (!last) throw new TypeError('there is no flow schema catch-all');
    return last;
  }

  #candidatesFor(user: UserInfo): Iterable<Candidate> {
    const known = this.#candidates.get(user);
    if (known) return known;
    const found = candidates(this.#schemas, user);
    if (!Object.isFrozen(user)) return found;
    const kept = [...found];
    this.#candidates.set(user, kept);
    return kept;
  }

  #updateLevels(objects: readonly LevelObject[]): void {
    const before = this.#levels;
    const levels = new Map<string, PriorityLevel>();
    const take = ({ metadata, spec: configuredSpec }: LevelObject | DefaultPriorityLevel) => {
      const { name = '', uid = '' }: Identity = metadata;
      const spec = levelSpec(name, configuredSpec);
      if (!spec) return;
      const level = before.get(name) ?? new PriorityLevel(name, spec, this.#host);
      level.uid = uid;
      level.spec = spec;
      level.quiescing = false;
      levels.set(name, level);
    };
    for (const object of objects) take(object);
    for (const mandatory of mandatoryPriorityLevels) if (!levels.has(mandatory.metadata.name)) take(mandatory);
    for (const [name, level] of before) {
      if (levels.has(name) || level.queueSet.idle) continue;
      // The level of a deleted object keeps its seats until the requests that wait in it are served.
      level.quiescing = true;
      levels.set(name, level);
    }
    this.#levels = levels;
  }

  #updateSchemas(objects: readonly FlowSchema[]): void {
    const counts = new Map<string, FlowCounts>();
    const names = new Set(objects.map(({ metadata }) => metadata.name));
    const absent = mandatoryFlowSchemas.filter(({ metadata }) => !names.has(metadata.name));
    const schemas: FlowSchemaInUse[] = [];
    for (const { metadata, spec } of [...objects, ...absent].sort(byPrecedence)) {
      const { name = '', uid = '' }: Identity = metadata;
      const level = this.#levels.get(spec.priorityLevelConfiguration.name);
      if (!level || level.quiescing) continue;
      const key = `${level.name}/${name}`;
      const counted = this.#counts.get(key) ?? new FlowCounts(level.name, name, this.#host.metrics);
      counts.set(key, counted);
      const { rules = [], distinguisherMethod } = spec;
      schemas.push({
        name,
        uid,
        rules,
        distinguisher: distinguisherMethod?.type,
        level,
        counts: counted,
        handOf: cachedByText((distinguisher) => level.handOf(`${name}\0${distinguisher}`)),
      });
    }
    // The counts of a removed flow schema are kept until its last request has ended.
    for (const [key, counted] of this.#counts)
      if (counted.waiting + counted.executing + counted.seatsExecuting > 0) counts.set(key, counted);
    this.#schemas = schemas;
    this.#counts = counts;
    this.#candidates = new WeakMap();
  }
}

const total = <T>(all: readonly T[], of: (each: T) => number) => all.reduce((sum, each) => sum + of(each), 0);

/** Compares flow schemas by precedence, then by name. */
function byPrecedence(a: FlowSchema | DefaultFlowSchema, b: FlowSchema | DefaultFlowSchema): number {
  const order = (a.spec.matchingPrecedence ?? 0) - (b.spec.matchingPrecedence ?? 0);
  if (order !== 0) return order;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}

function* candidates(schemas: readonly FlowSchemaInUse[], user: UserInfo): Generator<Candidate> {
  for (const schema of schemas) {
    const rules = schema.rules.filter((rule) => matchesUser(rule, user));
    if (rules.length > 0) yield { schema, rules };
  }
}
