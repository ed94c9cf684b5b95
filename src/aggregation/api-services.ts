import type { GroupVersions, RemoteVersion, ServedGroups } from '../discovery/served-groups.js';
import { ownGroups } from '../discovery/served-groups.js';
import { type Dialect, groupOf } from '../meta/dialect.js';
import type { Lister } from '../meta/host.js';
import type { GroupVersionResources, RegistrySnapshot } from '../registry/served/registry-snapshot.js';
import type { APIService } from '../resources/apiregistration/apiregistration-v1.types.js';
import { compareVersions } from '../values/versions.js';

/** The position of a group version in discovery. Higher priorities are listed first. */
export interface Priority {
  readonly group: number;
  readonly version: number;
}

/** A group version that discovery lists. */
interface Listed {
  /** The name of the group version's APIService. */
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly priority: Priority;
}

const keyOf = ({ group = '', version = '' }: { readonly group?: string; readonly version?: string }) =>
  `${group}/${version}`;

/**
 * The group versions in discovery: those that have an APIService, and this server's own group versions whose APIServices have not been
 * created yet.
 */
export class ApiServices {
  /** The API group of APIService itself. Discovery lists it first, and it has no APIService. */
  readonly group: string;
  /**
   * The names of the APIServices that have been created at least once for this server's own group versions. After that, such a group
   * version is listed only while its APIService exists.
   */
  readonly created = new Set<string>();
  readonly #lister: Lister<APIService>;
  readonly #byName = new Map<string, APIService>();
  /** APIServices of group versions that other servers serve, by `group/version`. */
  readonly #remote = new Map<string, APIService>();
  readonly #remoteVersions = new Map<string, RemoteVersion>();
  #following = false;
  #known: { readonly registry: RegistrySnapshot; readonly groups: ServedGroups } | undefined;

  constructor(dialect: Dialect, lister: (group: string, resource: string) => Lister<APIService>) {
    this.group = groupOf(dialect, 'apiregistration');
    this.#lister = lister(this.group, 'apiservices');
  }

  get(name: string): APIService | undefined {
    this.#follow();
    return this.#byName.get(name);
  }

  /** APIServices of group versions that other servers serve, by `group/version`. */
  get remote(): ReadonlyMap<string, APIService> {
    this.#follow();
    return this.#remote;
  }

  /** Returns the APIService whose server handles a path; undefined if this server handles it. */
  at(path: string): APIService | undefined {
    this.#follow();
    if (this.#remote.size === 0) return undefined;
    const [, root, group = '', version = ''] = path.split('/', 4);
    if (root === 'apis') return this.#remote.get(`${group}/${version}`);
    // The core group has a single version, so all of `/api` goes to one server.
    return root === 'api' ? this.#remote.get('/v1') : undefined;
  }

  /** Records the discovery data of a group version that another server serves; undefined removes the data. */
  describe(
    groupVersion: { readonly group?: string; readonly version?: string },
    remoteVersion: RemoteVersion | undefined,
  ): void {
    this.#known = undefined;
    if (remoteVersion) this.#remoteVersions.set(keyOf(groupVersion), remoteVersion);
    else this.#remoteVersions.delete(keyOf(groupVersion));
  }

  /** Returns the last recorded discovery data of a group version. */
  described(groupVersion: { readonly group?: string; readonly version?: string }): RemoteVersion | undefined {
    return this.#remoteVersions.get(keyOf(groupVersion));
  }

  /** Records that the APIService of one of this server's own group versions was created. */
  noteCreated(name: string): void {
    this.#known = undefined;
    this.created.add(name);
  }

  /** Returns the groups and versions in discovery, by priority (spec 24.2). */
  groups(registry: RegistrySnapshot): ServedGroups {
    this.#follow();
    if (this.#known?.registry === registry) return this.#known.groups;
    const groups = registry.find(this.group, 'v1', 'apiservices') ? this.#order(registry) : ownGroups(registry);
    this.#known = { registry, groups };
    return groups;
  }

  #order(registry: RegistrySnapshot): ServedGroups {
    const stored = [...this.#byName.values()].map((service) => listedVersion(service));
    const own = [...registry.contents.groupVersions.values()]
      .filter(({ group }) => group !== this.group)
      .map((each) => ({ ...each, name: `${each.version}.${each.group}`, priority: priorityOf(each) }));
    const unmade = own.filter(({ name }) => !this.#byName.has(name) && !this.created.has(name));
    const remoteVersions = stored.filter((each) => this.#remote.has(keyOf(each)));
    const localVersions = own.filter((each) => !this.#remote.has(keyOf(each)));
    return {
      listed: this.#first(registry, [...stored, ...unmade], ({ name }) => name),
      aggregated: this.#first(registry, [...remoteVersions, ...localVersions], ({ group }) => group),
      remote: new Map(remoteVersions.map((each) => [keyOf(each), this.#remoteVersions.get(keyOf(each)) ?? UNKNOWN])),
    };
  }

  #first(registry: RegistrySnapshot, all: readonly Listed[], tie: (each: Listed) => string): GroupVersions {
    const groups = new Map<string, Listed[]>();
    const byGroup = (a: Listed, b: Listed) =>
      b.priority.group - a.priority.group || (tie(a) < tie(b) ? -1 : Number(tie(a) > tie(b)));
    for (const listed of [...all].sort(byGroup)) {
      const some = groups.get(listed.group);
      if (some) some.push(listed);
      else groups.set(listed.group, [listed]);
    }
    const byVersion = (a: Listed, b: Listed) =>
      b.priority.version - a.priority.version || compareVersions(a.version, b.version);
    const ordered = [...groups].map(([group, some]): [string, readonly string[]] => [
      group,
      some.sort(byVersion).map(({ version }) => version),
    ]);
    return new Map([[this.group, registry.groups.get(this.group) ?? []], ...ordered]);
  }

  /** Reads the APIServices on first use, and follows their changes from then on. */
  #follow(): void {
    if (this.#following) return;
    this.#following = true;
    for (const service of this.#lister.list()) this.#note(service);
    this.#lister.onChange((next, previous) => {
      this.#known = undefined;
      if (!next && previous) this.#drop(previous);
      else if (next) this.#note(next);
    });
  }

  #note(service: APIService): void {
    const { metadata, spec } = service;
    this.#byName.set(metadata.name ?? '', service);
    if (spec.service) this.#remote.set(keyOf(spec), service);
    else this.#remote.delete(keyOf(spec));
  }

  #drop({ metadata, spec }: APIService): void {
    this.#byName.delete(metadata.name ?? '');
    this.#remote.delete(keyOf(spec));
    this.#remoteVersions.delete(keyOf(spec));
  }
}

/** The discovery data of a group version before it has been requested from the server that serves it. */
const UNKNOWN: RemoteVersion = { resources: [], fresh: false };

const listedVersion = ({ metadata, spec }: APIService): Listed => ({
  name: metadata.name ?? '',
  group: spec.group ?? '',
  version: spec.version ?? '',
  priority: { group: spec.groupPriorityMinimum, version: spec.versionPriority },
});

/**
 * The priority of all groups of custom resources. It is lower than that of all built-in groups. Because it is the same for all groups of
 * custom resources, these groups are sorted by name (spec 24.2).
 */
const USERS: Priority = { group: 1000, version: 100 };

/**
 * Group priorities, by the name of the group without the suffix that the API dialect appends: `rbac.authorization` is
 * `rbac.authorization.k8s.io` in the k8s dialect. A group may list versions whose priority differs from the default.
 */
const GROUPS: ReadonlyMap<string, readonly [number, Readonly<Record<string, number>>?]> = new Map([
  ['', [18_000, { v1: 1 }]],
  ['apps', [17_800]],
  ['events', [17_750, { v1beta1: 5 }]],
  ['authentication', [17_700]],
  ['authorization', [17_600]],
  ['autoscaling', [17_500, { v2: 30, v2beta2: 1 }]],
  ['batch', [17_400]],
  ['certificates', [17_300]],
  ['networking', [17_200, { v1beta1: 12 }]],
  ['policy', [17_100]],
  ['rbac.authorization', [17_000]],
  ['storage', [16_800]],
  ['apiextensions', [16_700]],
  ['admissionregistration', [16_700, { v1beta1: 12, v1alpha1: 9 }]],
  ['scheduling', [16_600]],
  ['coordination', [16_500, { v1alpha1: 9 }]],
  ['node', [16_300]],
  ['discovery', [16_200, { v1beta1: 12 }]],
  ['flowcontrol.apiserver', [16_100, { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9 }]],
  ['internal.apiserver', [16_000, { v1alpha1: 9 }]],
  ['resource', [15_900, { v1alpha3: 9 }]],
  ['storagemigration', [15_800, { v1alpha1: 9 }]],
]);

/** Returns the default priority of a version, which depends on its stability. */
const stabilityPriority = (version: string): number =>
  version.includes('alpha') ? 1 : version.includes('beta') ? 9 : 15;

/** Returns the priority of a group version that this server serves itself. */
export function priorityOf({ version, stores }: GroupVersionResources): Priority {
  const [known, versions = {}] = GROUPS.get(stores[0]?.resource.definition.groupStem ?? '?') ?? [];
  return known === undefined ? USERS : { group: known, version: versions[version] ?? stabilityPriority(version) };
}
