import { type ControllerDefinition, runsInEveryServer, servedAs } from '../../controllers/controller.js';
import type { Seed, Seeds } from '../../controllers/seed.js';
import { appliedEntry, trackOwnership } from '../../fields/field-manager.js';
import { compareEntries } from '../../fields/managed-fields.js';
import type { OwnershipOptions } from '../../fields/merge/managers.js';
import { isJsonObject, type JsonObject } from '../../json/value.js';
import { formatTime } from '../../meta/clock.js';
import { groupOf, ofDialect } from '../../meta/dialect.js';
import type { Host } from '../../meta/host.js';
import type { ApiObject, ManagedFieldsEntry, ObjectMeta } from '../../meta/object-meta.js';
import { randomUuid } from '../../meta/random.js';
import { objectKey, ownershipRules, type ServedResource } from '../../registry/served/served-resource.js';
import { controllerClients, ownerOf, serverClient } from '../clients.js';
import type { ServerParts } from '../parts.js';
import type { OwnObjects } from '../saved-state.js';

/**
 * Creates the default roles, then runs the controllers until they have no more work. The system's namespaces exist before other controllers
 * write to them, and have their service accounts when this resolves. If the servers on a storage elect a leader, only the controllers of
 * the API server itself run in all servers; the others run in the leader.
 * @param continued for a forked or restored server, the objects that the original server created by itself at its start. They exist
 * already, so this server creates none. With the controller mode `stepped`, only the controllers of the API server itself run at this
 * start, because they serve the CustomResourceDefinitions; the queued work of the other controllers stays queued.
 */
export async function startControllers(parts: ServerParts, continued?: OwnObjects): Promise<void> {
  const { resolved, host, roles, environment, controllers, storage, own } = parts;
  const { controllers: definitions, progress } = resolved;
  const { revision: before } = storage;
  const isFresh = storage.list('/registry/', { limit: 1 }).entries.length === 0;
  const seeds = isFresh && parts.seeds;

  if (continued) for (const [key, version] of continued) own.set(key, version);
  else if (seeds) await store(parts, roles?.seeds(host) ?? [], host.dialect.apiServerName);
  else await roles?.ensure(host, serverClient(environment));
  // The loop is sequential, because a controller's objects may be derived from those of the controllers before it.
  for (const definition of seeds ? definitions : [])
    await store(parts, (await definition.seeds?.(host)) ?? [], ownerOf(definition, host.dialect));
  progress.rolesReady = true;

  const clientFor = controllerClients(environment, roles?.controllerAccounts(host.dialect));
  const waits = continued !== undefined && resolved.controllerMode === 'stepped';
  const begin = async (chosen: readonly ControllerDefinition[]) => {
    const started = controllers.start(chosen, host, clientFor);
    await controllers.settle(waits ? started.filter((_, i) => chosen[i]?.ofServer) : undefined);
  };
  const first: ControllerDefinition[] = [];
  const others: ControllerDefinition[] = [];
  for (const definition of definitions) (definition.isFirst ? first : others).push(definition);
  await begin(first);
  progress.namespacesReady = true;
  const { wanted = storage.isShared } = resolved.leaderElection;
  const elected = wanted ? others.filter((definition) => !runsInEveryServer(definition, host)) : [];
  const leases = elected.length > 0 ? electingLeases(parts) : undefined;
  if (leases) {
    await begin(others.filter((definition) => !elected.includes(definition)));
    // The module is loaded on demand, because most servers do not share their storage.
    const { electControllers } = await import('./elect-controllers.js');
    await electControllers(parts, leases, elected, clientFor);
    if (!waits) await controllers.settle();
  } else await begin(others);
  if (!continued)
    for (const { key, revision } of storage.list('/registry/').entries) if (revision > before) own.set(key, revision);
  progress.started = true;
}

/**
 * Returns the resource of the Leases for the leader election of the controllers; undefined when Leases are not served.
 * @throws TypeError when the options require an election and Leases are not served.
 */
function electingLeases({ resolved, host, environment }: ServerParts): ServedResource | undefined {
  const group = groupOf(host.dialect, 'coordination');
  const leases = environment.registry.current.find(group, 'v1', 'leases');
  if (leases) return leases.resource;
  const problem = `Leases are not served (${group}/v1)`;
  if (resolved.leaderElection.wanted)
    throw new TypeError(`ApiServer: option controllers: leaderElection cannot work, because ${problem}`);
  host.log(`leader election: the controllers run in every server, because ${problem}`);
  return undefined;
}

/**
 * Writes to an empty storage the objects that controllers would otherwise create by requests, which would cost many times as much. Together
 * with the default roles these are about 180 objects.
 */
async function store({ host, storage }: ServerParts, all: readonly Seeds[], owner: string): Promise<void> {
  for (const seeds of all) {
    const { kind, objects, manager = owner, applied = false, unowned = [], subresource = '' } = seeds;
    const resource = servedAs(host, kind);
    if (!resource) continue;
    const rules = ownershipRules(resource, subresource);
    const resetFields = [...(rules.resetFields ?? []), ...unowned];
    const options = { ...rules, resetFields, manager, now: host.clock.now() };
    const make = objectMaker(resource, options, host);
    for (const object of objects) {
      const { namespace = '', name = '' } = object.metadata;
      const key = objectKey(resource, namespace, name);
      await storage.guaranteedUpdate(key, (current) => {
        // Seeds with `applied` change only existing objects, and all other seeds are stored only where no object exists.
        if (applied !== (current !== undefined)) return { action: 'keep' };
        return { action: 'put', value: make(object, current?.value) };
      });
    }
  }
}

type Owners = readonly ManagedFieldsEntry[];

/**
 * Returns a function that turns seeds of one list into stored objects: it adds the server's metadata, and makes `manager` own the fields. A
 * seed with `applied` becomes part of the object that is stored already.
 */
function objectMaker(
  { gvk, apiVersion, definition }: ServedResource,
  options: OwnershipOptions,
  { dialect, random }: Host,
): (seed: Seed, stored?: ApiObject) => ApiObject {
  const { kind } = gvk;
  const { manager, now, subresource, resetFields = [] } = options;
  const time = formatTime(now);
  const { bySeed, byShape } = knownOwners(dialect);
  const writer = [apiVersion, kind, subresource, manager, ...resetFields].join(' ');
  /** Copies of cached managedFields with the time of this start, by the cached managedFields. Objects with equal fields share a copy. */
  const current = new Map<Owners, Owners>();
  /** Returns the cached managedFields of a seed, or computes them. */
  const entriesOf = (seed: Seed, compute: () => Owners): Owners => {
    let known = bySeed.get(seed);
    if (known?.writer !== writer) {
      const shape = `${writer} ${shapeOf(seed)}`;
      let owners = byShape.get(shape);
      if (!owners) {
        if (byShape.size >= MOST_SHAPES) byShape.clear();
        byShape.set(shape, (owners = compute()));
      }
      bySeed.set(seed, (known = { writer, owners }));
    }
    const { owners } = known;
    let entries = current.get(owners);
    if (!entries) current.set(owners, (entries = owners.map((entry) => ({ ...entry, time }))));
    return entries;
  };
  return (seed, stored) => {
    if (stored) {
      const { metadata: _, ...members } = seed;
      // Seeds are plain JSON, so the cast is safe.
      const entries = entriesOf(seed, () => [appliedEntry(options, members as JsonObject)]);
      const managedFields = [...entries, ...(stored.metadata.managedFields ?? [])].sort(compareEntries);
      return { ...stored, ...members, metadata: { ...stored.metadata, managedFields } };
    }
    const { name = '', namespace, generation, labels, annotations } = seed.metadata;
    // The members are assigned one by one in serialization order, because spreads cost several times as much, and a server creates some 180
    // objects at its start.
    const metadata: { -readonly [K in keyof ObjectMeta]: ObjectMeta[K] } = { name };
    if (namespace !== undefined) metadata.namespace = namespace;
    metadata.uid = randomUuid(random);
    metadata.resourceVersion = ''; // The storage replaces it by the revision of the write.
    if (definition.tracksGeneration) metadata.generation = 1;
    else if (generation !== undefined) metadata.generation = generation;
    metadata.creationTimestamp = time;
    if (labels) metadata.labels = labels;
    if (annotations) metadata.annotations = annotations;
    const next: ApiObject = { kind, apiVersion, ...seed, metadata };
    const track = { ...options, live: undefined, next, rulings: dialect.rulings };
    const entries = entriesOf(seed, () => trackOwnership(track).metadata.managedFields ?? []);
    if (entries.length > 0) metadata.managedFields = entries;
    return next;
  };
}

/**
 * The managedFields of seeds, by the seed itself and by its shape. All servers of a process store the same seeds, or seeds of the same
 * shape, so the managedFields are computed only once. A seed is kept with its writer, because a second writer may own other fields of it.
 */
const knownOwners = ofDialect(() => ({
  bySeed: new WeakMap<Seed, { readonly writer: string; readonly owners: Owners }>(),
  byShape: new Map<string, Owners>(),
}));

/** The built-in controllers need about two dozen shapes. Seeds of other controllers must not fill the memory. */
const MOST_SHAPES = 1000;

/**
 * Returns a string that is equal only for objects with the same owned fields. It has the names of the members at any depth, the items of
 * lists, because they may contain keys, and the zero values, because a required field with its zero value is not owned. It does not have
 * the times of conditions, which are never keys and differ at every start.
 */
function shapeOf(object: object): string {
  let shape = '';
  for (const [name, value] of Object.entries(object)) {
    if (isJsonObject(value)) shape += `${name}{${shapeOf(value)}}`;
    else if (Array.isArray(value)) shape += `${name}${JSON.stringify(value, withoutTime)}`;
    else shape += value && value !== '0' ? `${name},` : `${name}=${value},`;
  }
  return shape;
}

const withoutTime = (name: string, member: unknown) => (name === 'lastTransitionTime' ? '' : member);
