import type { PolicyRule } from '../../authorization/authorizer.js';

/** One permission: of a verb on a path, or on a resource. */
export type Need = {
  /** '' for the whole cluster. */
  readonly namespace: string;
  readonly verb: string;
} & (
  | { readonly path: string }
  | {
      readonly group: string;
      /** With the subresource: `pods/status`. */
      readonly resource: string;
      /** The object; '' for all. */
      readonly name: string;
    }
);

/** Permission of a verb on a resource, for all its objects or for some. */
interface Grant {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  /** Undefined for all objects. */
  readonly names: readonly string[] | undefined;
}

/** Returns the permissions without those in a namespace that others give in the whole cluster. */
export function withoutCovered(needs: readonly Need[]): readonly Need[] {
  const cluster = new Set(needs.filter(({ namespace }) => namespace === '').map((need) => keyOf(need)));
  return needs.filter(
    (need) =>
      need.namespace === '' ||
      !('name' in need) ||
      !(cluster.has(keyOf({ ...need, name: '' })) || cluster.has(keyOf(need))),
  );
}

const keyOf = (need: Need) =>
  'path' in need ? `${need.verb}\n${need.path}` : [need.verb, need.group, need.resource, need.name].join('\n');

/** Returns the fewest rules that give exactly these permissions, in a fixed order. */
export function rulesFor(needs: readonly Need[]): readonly PolicyRule[] {
  const onResources = needs.filter((need) => 'name' in need);
  const onPaths = needs.filter((need) => 'path' in need);
  // Verbs of a resource that concern the same objects are one rule; then resources with the same verbs and objects are.
  const byResource = joined(grantsFor(onResources), ({ group, resource, names }) => [group, resource, names]);
  const rules = joined(byResource, ({ group, verbs, names }) => [group, verbs, names]).map(
    ({ group, resources, verbs, names }): PolicyRule => ({
      apiGroups: [group],
      resources,
      ...(names === undefined ? {} : { resourceNames: names }),
      verbs,
    }),
  );
  const paths = [...groupBy(onPaths, ({ path }) => path)].map(([path, same]) => ({
    path,
    verbs: sorted(same.map(({ verb }) => verb)),
  }));
  const ofPaths = [...groupBy(paths, ({ verbs }) => JSON.stringify(verbs)).values()].map(
    (same): PolicyRule => ({ nonResourceURLs: sorted(same.map(({ path }) => path)), verbs: same[0]?.verbs ?? [] }),
  );
  return [...rules, ...ofPaths].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** Returns a grant for each verb on a resource; it names objects if every permission does. */
function grantsFor(needs: readonly Extract<Need, { readonly name: string }>[]): readonly Grant[] {
  return [...groupBy(needs, ({ group, resource, verb }) => [group, resource, verb].join('\n')).values()].flatMap(
    (same) => {
      const [first] = same;
      if (!first) return [];
      const names = same.some(({ name }) => name === '') ? undefined : sorted(same.map(({ name }) => name));
      return [{ group: first.group, resource: first.resource, verb: first.verb, names }];
    },
  );
}

interface Joined {
  readonly group: string;
  readonly resource: string;
  readonly resources: readonly string[];
  readonly verb: string;
  readonly verbs: readonly string[];
  readonly names: readonly string[] | undefined;
}

/** Joins the verbs and the resources of grants that have the same key. */
function joined(grants: readonly (Grant | Joined)[], key: (grant: Joined) => unknown): readonly Joined[] {
  const all = grants.map((grant): Joined => ({ resources: [grant.resource], verbs: [grant.verb], ...grant }));
  return [...groupBy(all, (grant) => JSON.stringify(key(grant))).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const resources = sorted(same.flatMap((each) => each.resources));
    return [{ ...first, resources, verbs: sorted(same.flatMap((each) => each.verbs)) }];
  });
}

const sorted = (texts: readonly string[]) => [...new Set(texts)].sort();

/** Returns the values by the key that each has, in the order of the keys' first values. */
export function groupBy<T>(values: readonly T[], key: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(key(value));
    if (group) group.push(value);
    else groups.set(key(value), [value]);
  }
  return groups;
}
