import fc from 'fast-check';
import { expect, it } from 'vitest';
import { trackOwnership } from '../../src/fields/field-manager.js';
import { parseFieldsV1 } from '../../src/fields/managed-fields.js';
import { NEVER_OWNED } from '../../src/fields/merge/managers.js';
import { withNamedParents } from '../../src/fields/merge/prune.js';
import {
  difference,
  EMPTY,
  equals,
  intersection,
  isEmpty,
  leaves,
  type PathSet,
  pathSet,
  pathsOf,
  recursiveDifference,
  union,
} from '../../src/fields/paths/path-set.js';
import { compare, everyPath } from '../../src/fields/typed/compare.js';
import { hasFieldSet, toFieldSet, toFieldSetWithParents } from '../../src/fields/typed/to-field-set.js';
import { hasNoMembers } from '../../src/json/members.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/json/value.js';
import { orch } from '../../src/meta/dialect.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { zeroValue } from '../../src/schema/zero-value.js';
import { deepFreeze } from '../../src/store/freeze.js';
import { applyOwnership } from '../support/apply-ownership.js';
import { pod } from './kinds.js';

const text = fc.constantFrom('x', 'y', 'z');
const strings = fc.dictionary(fc.constantFrom('a', 'b', 'c'), text, { minKeys: 1 });
const container = (name: string) =>
  fc.record(
    {
      name: fc.constant(name),
      image: text,
      args: fc.array(text, { minLength: 1, maxLength: 2 }),
      ports: fc.constant([{ containerPort: 80 }]),
    },
    { requiredKeys: ['name'] },
  );
const containers = fc
  .shuffledSubarray(['c1', 'c2', 'c3'], { minLength: 1 })
  .chain((names) => fc.tuple(...names.map(container)));
/** The body of an apply or update: a part of a pod. */
const body = fc.record(
  { labels: strings, finalizers: fc.uniqueArray(text, { minLength: 1 }), containers, nodeName: text },
  { requiredKeys: [] },
);
type Body = typeof body extends fc.Arbitrary<infer T> ? T : never;

function objectOf({ labels, finalizers, containers: list, nodeName }: Body): JsonObject {
  const metadata = { name: 'p', ...(labels ? { labels } : {}), ...(finalizers ? { finalizers } : {}) };
  const spec = { ...(list ? { containers: list } : {}), ...(nodeName ? { nodeName } : {}) };
  return { apiVersion: 'v1', kind: 'Pod', metadata, ...(list || nodeName ? { spec } : {}) } as unknown as JsonObject;
}

const write = fc.record({ manager: fc.constantFrom('m1', 'm2', 'm3'), apply: fc.boolean(), body });
const common = { schema: pod, apiVersion: 'v1', subresource: '' };
let clock = 0;

function apply(live: ApiObject | undefined, manager: string, applied: JsonObject): ApiObject {
  return deepFreeze(
    applyOwnership({ ...common, kind: 'Pod', manager, now: (clock += 1000), live, applied, force: true }),
  );
}
function run(live: ApiObject | undefined, w: { manager: string; apply: boolean; body: Body }): ApiObject {
  const object = objectOf(w.body);
  if (w.apply) return apply(live, w.manager, object);
  const next = object as unknown as ApiObject;
  return deepFreeze(
    trackOwnership({ ...common, manager: w.manager, now: (clock += 1000), live, next, rulings: orch.rulings }),
  );
}
const setOf = (entry: { fieldsV1?: JsonObject } | undefined): PathSet => parseFieldsV1(entry?.fieldsV1);
const ownedBy = (live: ApiObject, manager: string, operation: string) =>
  setOf(live.metadata.managedFields?.find((entry) => entry.manager === manager && entry.operation === operation));
const contentOf = (live: ApiObject): JsonObject => {
  const { managedFields: _, ...metadata } = live.metadata;
  return { ...live, metadata } as unknown as JsonObject;
};

const specOf = (live: ApiObject): JsonObject => ((live as { spec?: unknown }).spec ?? {}) as JsonObject;
const EMPTIED = pathSet(['f:spec', 'f:containers']);

it('a new object has the paths that it adds to the zero value of its kind or modifies', () => {
  const zero = zeroValue(pod);
  fc.assert(
    fc.property(body, (sent) => {
      const { added, modified } = compare(pod, zero, objectOf(sent));
      expect(everyPath(pod, objectOf(sent), zero)).toEqual(union(modified, added));
    }),
  );
});

it('applying the same again changes nothing: the result is the live object itself', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 5 }), write, (before, last) => {
      const live = before.reduce<ApiObject | undefined>(run, undefined);
      const once = apply(live, last.manager, objectOf(last.body));
      expect(apply(once, last.manager, structuredClone(objectOf(last.body)))).toBe(once);
    }),
  );
});

/** Returns the object as the store returns it: a map or list without members is absent, and so is a null. */
function stored(object: ApiObject): ApiObject {
  const tidy = (value: JsonValue | undefined): JsonValue | undefined => {
    if (Array.isArray(value)) return value.length === 0 ? undefined : value.map((item) => tidy(item) ?? {});
    if (!isJsonObject(value)) return value ?? undefined;
    const members = Object.entries(value).flatMap(([name, member]) => {
      const kept = name === 'managedFields' ? member : tidy(member);
      return kept === undefined || (isJsonObject(kept) && hasNoMembers(kept)) ? [] : [[name, kept] as const];
    });
    return Object.fromEntries(members);
  };
  return deepFreeze(tidy(object as unknown as JsonObject) as unknown as ApiObject);
}
const throughStore = (live: ApiObject | undefined, w: Parameters<typeof run>[1]) => stored(run(live, w));

// Other managers may still own a map or list itself, long after its last member was removed. Only an apply of an empty one takes that
// ownership: an absent map is then new, as in upstream.
it('applying the same again changes nothing after the object was stored, unless an empty map or list is applied', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 6 }), write, (before, last) => {
      const live = before.reduce<ApiObject | undefined>(throughStore, undefined);
      const applied = objectOf(last.body);
      const once = stored(apply(live, last.manager, applied));
      expect(apply(once, last.manager, structuredClone(applied))).toBe(once);
    }),
  );
});
it('applying an empty map again takes over the map from the manager who created it', () => {
  const labelled = (labels: JsonObject) =>
    ({ ...objectOf({}), metadata: { name: 'p', labels } }) as unknown as JsonObject;
  const next = labelled({ a: 'x' }) as unknown as ApiObject;
  const made = trackOwnership({ ...common, manager: 'm2', now: 0, live: undefined, next, rulings: orch.rulings });
  const taken = stored(apply(stored(made), 'm1', labelled({ a: 'y' })));
  const once = stored(apply(taken, 'm1', labelled({})));
  expect(ownedBy(once, 'm2', 'Update')).toEqual(pathSet(['f:metadata', 'f:labels']));
  const twice = stored(apply(once, 'm1', labelled({})));
  expect(ownedBy(twice, 'm2', 'Update')).toEqual(EMPTY);
  expect(contentOf(twice)).toEqual(contentOf(once));
});
it('a set with its parent structs equals one to which they were added', () => {
  fc.assert(
    fc.property(body, (content) => {
      const object = objectOf(content);
      expect(toFieldSetWithParents(pod, object)).toEqual(withNamedParents(pod, toFieldSet(pod, object)));
    }),
  );
});

it('a manager owns exactly what it applied, and the object has it', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 5 }), write, (before, last) => {
      const live = apply(before.reduce<ApiObject | undefined>(run, undefined), last.manager, objectOf(last.body));
      const applied = difference(toFieldSet(pod, objectOf(last.body)), NEVER_OWNED);
      expect(ownedBy(live, last.manager, 'Apply')).toEqual(applied);
      expect(difference(leaves(applied), toFieldSet(pod, contentOf(live)))).toEqual(EMPTY);
    }),
  );
});

it('in any interleaving, every owned field exists and every field has an owner', () => {
  fc.assert(
    fc.property(fc.array(write, { minLength: 1, maxLength: 8 }), (writes) => {
      const live = writes.reduce<ApiObject | undefined>(run, undefined) as ApiObject;
      // An object that was created without owners has none until it is applied.
      if (live.metadata.managedFields === undefined) return;
      const all = toFieldSet(pod, contentOf(live));
      // A list without items is null, which has no owner if an update had put something into the item.
      const there =
        'containers' in specOf(live) && specOf(live)['containers'] === null ? difference(all, EMPTIED) : all;
      const owned = (live.metadata.managedFields ?? []).reduce((all, entry) => union(all, setOf(entry)), EMPTY);
      expect(difference(leaves(difference(there, NEVER_OWNED)), owned)).toEqual(EMPTY);
      // Maps and lists without members may keep an owner themselves; fields and items may not.
      const dangling = difference(
        difference(leaves(owned), there),
        pathSet(['f:metadata', 'f:labels'], ['f:metadata', 'f:finalizers'], ['f:spec'], ['f:spec', 'f:containers']),
      );
      expect(pathsOf(dangling).filter((path) => !/ports|args|resources/.test(path.at(-1) ?? ''))).toEqual([]);
    }),
  );
});

it('an apply without force takes no field from other managers', () => {
  fc.assert(
    fc.property(fc.array(write, { minLength: 1, maxLength: 5 }), write, (before, last) => {
      const live = before.reduce<ApiObject | undefined>(run, undefined) as ApiObject;
      // The fields that an update added to an item are removed when all managers that applied the item drop it.
      const others = (live.metadata.managedFields ?? []).filter(
        (e) => e.manager !== last.manager && e.operation === 'Apply',
      );
      try {
        const next = applyOwnership({
          ...common,
          kind: 'Pod',
          manager: last.manager,
          now: 0,
          live,
          applied: objectOf(last.body),
          force: false,
        });
        for (const entry of others) {
          const after = setOf(
            next.metadata.managedFields?.find((e) => e.manager === entry.manager && e.operation === entry.operation),
          );
          expect(after).toEqual(setOf(entry));
        }
      } catch (error) {
        expect(error).toMatchObject({ status: { reason: 'Conflict' } });
      }
    }),
  );
});

it('an object has a field set if and only if it equals the set, without fields that have no owner', () => {
  fc.assert(
    fc.property(body, body, (a, b) => {
      const [x, y] = [objectOf(a), objectOf(b)];
      const set = difference(toFieldSet(pod, x), NEVER_OWNED);
      expect(hasFieldSet(pod, x, set, NEVER_OWNED)).toBe(true);
      expect(hasFieldSet(pod, y, set, NEVER_OWNED)).toBe(equals(difference(toFieldSet(pod, y), NEVER_OWNED), set));
    }),
  );
});

const element = fc.constantFrom('f:a', 'f:b', 'k:{"n":"x"}', 'k:{"n":1}', 'v:1', 'v:"x"');
const set = fc
  .array(fc.array(element, { minLength: 1, maxLength: 3 }), { maxLength: 6 })
  .map((paths) => pathSet(...paths));
const texts = (s: PathSet) => pathsOf(s).map((path) => path.join(' '));

it('set operations are those of sets of paths, in normal form', () => {
  fc.assert(
    fc.property(set, set, (a, b) => {
      const inB = new Set(texts(b));
      expect(texts(union(a, b)).sort()).toEqual([...new Set([...texts(a), ...texts(b)])].sort());
      expect(texts(intersection(a, b)).sort()).toEqual(
        texts(a)
          .filter((t) => inB.has(t))
          .sort(),
      );
      expect(texts(difference(a, b)).sort()).toEqual(
        texts(a)
          .filter((t) => !inB.has(t))
          .sort(),
      );
      const under = (t: string) => texts(b).some((p) => t === p || t.startsWith(`${p} `));
      expect(texts(recursiveDifference(a, b)).sort()).toEqual(
        texts(a)
          .filter((t) => !under(t))
          .sort(),
      );
      for (const result of [union(a, b), intersection(a, b), difference(a, b), recursiveDifference(a, b)]) {
        expect(parseFieldsV1(result)).toBe(result);
      }
      expect(isEmpty(difference(a, a))).toBe(true);
    }),
  );
});
