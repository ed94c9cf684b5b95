import { priorityOf } from '../../aggregation/api-services.js';
import type { Client } from '../../client/client.js';
import { equalJson } from '../../json/equal.js';
import { isAlreadyExists, isNotFound } from '../../meta/api-error.js';
import { type Dialect, domainName, groupOf } from '../../meta/dialect.js';
import type { GroupVersionLayout, GroupVersionResources } from '../../registry/served/registry-snapshot.js';
import type { CustomResourceDefinition } from '../../resources/apiextensions/apiextensions-v1.types.js';
import { isEstablished } from '../../resources/apiextensions/conditions.js';
import { apiServiceName, localStatus } from '../../resources/apiregistration/api-service.js';
import type { APIService } from '../../resources/apiregistration/apiregistration-v1.types.js';
import { apiService } from '../../resources/apiregistration/index.js';
import { type ControllerDefinition, type ControllerHost, stopAll } from '../controller.js';
import { type Seed, seedsOf } from '../seed.js';
import { unless } from '../unless.js';

/**
 * Returns the name of the label that says how an APIService is managed: `onstart` means that it is created once at the start, `true` that
 * it is kept in sync.
 */
const automanagedLabel = (dialect: Dialect): string => `kube-aggregator.${domainName(dialect, 'automanaged')}`;
const AT_START = 'onstart';
const ALWAYS = 'true';

/** Begins the queue keys of APIServices that an earlier run of a server has left behind. All other keys are names of APIServices. */
const LEFT_OVER = 'left over ';

type Desired = Pick<APIService, 'spec'> & { readonly managed: string };

/**
 * Keeps an APIService for every group version that this server serves itself (spec 24.2). APIServices of built-in kinds are created once;
 * those of custom resources are created, restored and deleted with their definitions.
 */
export const localApiServices: ControllerDefinition = {
  name: 'local-api-services',
  ofServer: true,
  seeds(host) {
    const { apiServices, clock, dialect, kinds } = host;
    const label = automanagedLabel(dialect);
    const objects: (Seed & Pick<APIService, 'spec'>)[] = [];
    for (const resources of kinds.current.contents.groupVersions.values()) {
      if (resources.group === apiServices.group) continue;
      const name = apiServiceName(resources);
      const { managed, spec } = desiredFor(resources);
      apiServices.noteCreated(name);
      objects.push({ metadata: { name, labels: { [label]: managed } }, spec, status: localStatus(clock) });
    }
    return [seedsOf<APIService>(apiService, objects)];
  },
  follow({ host, queue }) {
    const { apiServices, kinds } = host;
    const isServed = kinds.current.find(apiServices.group, apiService.version, apiService.plural) !== undefined;
    if (!isServed) return undefined;
    const label = automanagedLabel(host.dialect);
    const lister = host.lister<APIService>(apiServices.group, apiService.plural);
    for (const resources of kinds.current.contents.groupVersions.values()) {
      const name = apiServiceName(resources);
      if (resources.group === apiServices.group || apiServices.created.has(name)) continue;
      if (!isAsCreated(name, resources, host)) queue.add(name);
    }
    // Automatically managed APIServices are checked, too, because their kinds may have been removed while no server ran.
    for (const { metadata } of lister.list()) {
      const { name = '', labels } = metadata;
      if (labels?.[label] === ALWAYS) queue.add(name);
      else if (labels?.[label] === AT_START && !apiServices.created.has(name) && !desiredApiService(name, host))
        queue.add(`${LEFT_OVER}${name}`);
    }
    const stops = [
      kinds.onChange(({ installed, uninstalled }) => {
        for (const { resource } of [...installed, ...uninstalled]) queue.add(apiServiceName(resource.gvr));
      }),
      lister.onChange((next, previous) => {
        const { labels = {}, name = '' } = (next ?? previous)?.metadata ?? {};
        if (labels[label] === ALWAYS) queue.add(name);
      }),
    ];
    return stopAll(stops);
  },
  async reconcile(name, { host, client }) {
    if (name.startsWith(LEFT_OVER)) return removeLeftOver(name.slice(LEFT_OVER.length), host, client);
    const { apiServices, dialect } = host;
    const desired = desiredApiService(name, host);
    const current = apiServices.get(name);
    const label = automanagedLabel(dialect);
    const managed = current?.metadata.labels?.[label];
    const wasCreated = apiServices.created.has(name);
    if (desired) apiServices.noteCreated(name);
    if (desired?.managed === AT_START && wasCreated) return;
    try {
      if (!current) {
        if (desired)
          await client.create(apiService, {
            metadata: { name, labels: { [label]: desired.managed } },
            spec: desired.spec,
          });
        return;
      }
      // An APIService that a user created is left unchanged. An APIService with the label value `onstart` is left unchanged, too, once this
      // server has created or corrected it.
      if (managed !== ALWAYS && (managed !== AT_START || wasCreated || !desired)) return;
      if (!desired) {
        if (!willBeServed(current, host)) await remove(current, client);
      } else if (!equalJson(current.spec, desired.spec))
        await client.replace(apiService, { ...current, spec: desired.spec });
    } catch (error) {
      if (!isNotFound(error) && !isAlreadyExists(error)) throw error;
    }
  },
};

/** Returns the APIService that should exist; undefined if its group version is not served or is in the group of APIService itself. */
function desiredApiService(name: string, { kinds, apiServices }: ControllerHost): Desired | undefined {
  const dot = name.indexOf('.');
  const resources = kinds.current.groupVersion(name.slice(dot + 1), name.slice(0, dot));
  return resources && resources.group !== apiServices.group ? desiredFor(resources) : undefined;
}

/**
 * Returns whether the stored APIService is the one that the server would create; if so, records it as created. After a restart all
 * APIServices are stored already, so the controller has no work to do for them.
 */
function isAsCreated(
  name: string,
  resources: GroupVersionResources,
  { apiServices, dialect }: ControllerHost,
): boolean {
  const current = apiServices.get(name);
  if (current?.metadata.labels?.[automanagedLabel(dialect)] !== AT_START) return false;
  const desired = desiredFor(resources);
  if (desired.managed !== AT_START || !equalJson(current.spec, desired.spec)) return false;
  apiServices.noteCreated(name);
  return true;
}

/**
 * The desired APIService of each group version. The key is the {@link GroupVersionLayout}, the list of the group version's resources.
 * Servers in this process that serve the same resources share that list and therefore the APIService.
 */
const desiredSpecs = new WeakMap<GroupVersionLayout, Desired>();

function desiredFor(resources: GroupVersionResources): Desired {
  const { layout, group, version, builtIn } = resources;
  let desired = desiredSpecs.get(layout);
  if (!desired) {
    const priority = priorityOf(resources);
    desired = Object.freeze({
      managed: builtIn ? AT_START : ALWAYS,
      spec: Object.freeze({
        ...(group === '' ? {} : { group }),
        version,
        groupPriorityMinimum: priority.group,
        versionPriority: priority.version,
      }),
    });
    desiredSpecs.set(layout, desired);
  }
  return desired;
}

/**
 * Returns whether an established CustomResourceDefinition will serve the group version of an APIService. Its kinds may not be installed yet
 * after a start of the server, because the controller installs the kinds of one definition after the other.
 */
function willBeServed({ spec: { group, version } }: APIService, { dialect, lister }: ControllerHost): boolean {
  const definitions = lister<CustomResourceDefinition>(groupOf(dialect, 'apiextensions'), 'customresourcedefinitions');
  return definitions
    .list()
    .some(
      (each) =>
        each.spec.group === group &&
        isEstablished(each) &&
        each.spec.versions.some(({ name, served }) => name === version && served),
    );
}

/** Deletes an APIService that was created at an earlier start, for a built-in group version that this server no longer serves. */
async function removeLeftOver(name: string, host: ControllerHost, client: Client): Promise<void> {
  const current = host.apiServices.get(name);
  const managed = current?.metadata.labels?.[automanagedLabel(host.dialect)];
  if (current && managed === AT_START && !desiredApiService(name, host)) await remove(current, client);
}

async function remove({ metadata }: APIService, client: Client): Promise<void> {
  const { name = '', uid = '' } = metadata;
  await client.delete(apiService, name, { preconditions: { uid } }).catch(unless(isNotFound));
}
