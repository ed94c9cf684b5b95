import { type LoadSource, loadObjects, readSource } from '../client/load.js';
import { isJsonObject, type JsonObject } from '../json/value.js';
import { groupOf } from '../meta/dialect.js';
import type { Host, Lister } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { ResourceDefinition } from '../registry/resource-definition.js';
import { type ServedResource, serveResource } from '../registry/served/served-resource.js';
import type { CustomResourceDefinition } from '../resources/apiextensions/apiextensions-v1.types.js';
import { isEstablished } from '../resources/apiextensions/conditions.js';
import type { Entry } from '../store/storage.js';
import type { InitialState } from '../store/storage-factory.js';
import { makeHost } from './assemble.js';
import { inProcessClient, reachOf } from './clients.js';
import type { ResolvedOptions, ServerParts } from './parts.js';
import { initialState, readState, restoreEntries } from './restore.js';
import { savedRevision } from './saved-state.js';

/** The parsed objects of a load. */
export interface Loading {
  /** Objects from a server's storage. They are restored with the metadata that the server assigned. */
  readonly stored: readonly JsonObject[];
  /** Manifests, which are created, or replaced if they exist. */
  readonly fresh: readonly JsonObject[];
  /** The file name of each object that comes from a file. */
  readonly fileOf: ReadonlyMap<JsonObject, string>;
  /** The revision of the saved storage, or 0 if it is not known. */
  readonly revision: number;
}

/**
 * Parses objects, and separates those of a server's storage from manifests.
 * @throws TypeError for a value that is not an object, DecodeError for text that cannot be parsed.
 */
export async function readLoading(source: LoadSource): Promise<Loading> {
  const { objects, fileOf, texts } = await readSource(source);
  return {
    stored: objects.filter(wasStored),
    fresh: objects.filter((object) => !wasStored(object)),
    fileOf,
    revision: Math.max(0, ...texts.map((text) => savedRevision(text) ?? 0)),
  };
}

/**
 * Splits the loads that were requested before the start: stored objects become the initial state of the storage. Manifests are written by
 * `finish`, once the server runs.
 */
export async function beginLoading(
  resolved: ResolvedOptions,
  definitions: readonly ResourceDefinition[],
  loads: readonly Loading[],
): Promise<{ readonly initial: InitialState<ApiObject> | undefined; finish(parts: ServerParts): Promise<void> }> {
  const loading = combineLoads(loads);
  return {
    initial: await readInitialState(resolved, definitions, loading),
    finish: (parts) => load(parts, { ...loading, stored: [] }),
  };
}

/** Combines the objects of several sources, which were read separately, so that they are loaded together. */
function combineLoads(loads: readonly Loading[]): Loading {
  return {
    stored: loads.flatMap(({ stored }) => stored),
    fresh: loads.flatMap(({ fresh }) => fresh),
    fileOf: new Map(loads.flatMap(({ fileOf }) => [...fileOf])),
    revision: Math.max(0, ...loads.map(({ revision }) => revision)),
  };
}

/** Returns whether an object comes from a server's storage: it has metadata that only a server assigns. */
function wasStored({ metadata }: JsonObject): boolean {
  if (!isJsonObject(metadata)) return false;
  const { uid, resourceVersion, creationTimestamp } = metadata;
  return (
    typeof uid === 'string' &&
    uid !== '' &&
    typeof creationTimestamp === 'string' &&
    typeof resourceVersion === 'string' &&
    /^[1-9]\d{0,14}$/.test(resourceVersion)
  );
}

/**
 * Returns the custom resource kinds whose definitions are among the objects, because these kinds are not served yet when their objects are
 * read. A definition that is not established has no objects, so it is skipped.
 * @throws the errors of {@link readState} for an invalid definition.
 */
async function customKindsOf(
  objects: readonly JsonObject[],
  resources: readonly ServedResource[],
  host: Host,
): Promise<readonly ServedResource[]> {
  const { dialect } = host;
  const apiVersion = `${groupOf(dialect, 'apiextensions')}/v1`;
  const definitionObjects = objects.filter((each) => each['kind'] === DEFINITION && each['apiVersion'] === apiVersion);
  if (definitionObjects.length === 0) return [];
  const { customKinds } = await import('../custom-resources/custom-kinds.js');
  const definitions = (await readState(
    definitionObjects,
    resources,
    host,
  )) as readonly Entry<CustomResourceDefinition>[];
  const kinds = definitions.flatMap(({ value: { spec, status } }) => {
    if (!isEstablished({ status })) return [];
    const versions = spec.versions.map((version) => ({ ...version, served: true }));
    return customKinds({ ...spec, versions }, status.acceptedNames, { terminating: false });
  });
  return kinds.map((definition) => serveResource(definition, dialect));
}
const DEFINITION = 'CustomResourceDefinition';

/**
 * Returns the state that a server starts with; undefined if the loads contain neither stored objects nor a revision.
 * @throws TypeError for a kind that is not served; ApiError for an object that its kind refuses.
 */
async function readInitialState(
  resolved: ResolvedOptions,
  definitions: readonly ResourceDefinition[],
  { stored, revision }: Loading,
): Promise<InitialState<ApiObject> | undefined> {
  if (stored.length === 0 && revision === 0) return undefined;
  const resources = definitions.map((definition) => serveResource(definition, resolved.dialect));
  const host = makeHost(resolved, () => NOTHING);
  const custom = await customKindsOf(stored, resources, host);
  return initialState(await readState(stored, [...resources, ...custom], host), revision);
}

const NOTHING: Lister<never> = {
  get: () => undefined,
  list: () => [],
  byIndex: () => [],
  onChange: () => () => {},
};

/**
 * Loads objects into a running server.
 * @throws the errors of {@link readState} and loadObjects.
 */
export async function load(
  { environment, storage, host }: ServerParts,
  { stored, fresh, fileOf }: Loading,
): Promise<void> {
  const { registry } = environment;
  const resources = [...registry.current.contents.stores.values()].map(({ resource }) => resource);
  const custom = await customKindsOf(stored, resources, host);
  await restoreEntries(storage, await readState(stored, [...resources, ...custom], host));
  const client = inProcessClient(reachOf(environment), { userAgent: 'load' });
  await loadObjects(client, registry, fresh, fileOf);
}
