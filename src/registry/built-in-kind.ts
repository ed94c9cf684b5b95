import type { ApiObject } from '../meta/object-meta.js';
import { loadedOnce } from '../values/once.js';
import type {
  ConnectSubresource,
  LateRules,
  ObjectSubresource,
  PartSubresource,
  RelaySubresource,
  ResourceDefinition,
  StorageForm,
  SubresourceNames,
  VirtualKind,
} from './definitions/definition.js';
import { defaultsOf, defineResource, type ObjectWith, type ZodSchema } from './resource-definition.js';

/** The members of a definition that are rules: they throw until the rules of the kind are loaded. All other members are its names. */
const RULES = {
  schema: true,
  patchSchema: true,
  checkObject: true,
  nameRule: true,
  setDefaults: true,
  strategy: true,
  gatedFields: true,
  allocation: true,
  subresources: true,
  resetFields: true,
  selectableFields: true,
  ownFieldLabels: true,
  columns: true,
  compareRows: true,
  rowConditions: true,
  storageForm: true,
} as const satisfies { readonly [Member in keyof ResourceDefinition]?: true };
type Rule = keyof typeof RULES;

function notLoaded(kind: string): never {
  throw new TypeError(`${kind}: what it does is not loaded yet; await loadKinds([…]) of orch-apiserver/kinds first`);
}

/** The prototype of a definition whose rules are not loaded: every rule is a getter that throws. */
const UNLOADED: object = Object.defineProperties(
  {},
  Object.fromEntries(
    Object.keys(RULES).map((rule) => [
      rule,
      {
        get(this: ResourceDefinition) {
          return notLoaded(this.kind);
        },
      },
    ]),
  ),
);

/** What discovery, routes and clients need of a built-in kind: everything except its rules. */
export type KindNames<T extends ApiObject> = Omit<
  ResourceDefinition<T>,
  Rule | 'group' | 'groupStem' | 'listKind' | 'singular' | 'decoding' | 'storedAs' | 'virtual' | 'late'
> &
  Partial<Pick<ResourceDefinition<T>, 'listKind' | 'singular'>> & {
    readonly groupStem: string;
    readonly subresources?: Readonly<Record<string, SubresourceNames>>;
    /** The kind its objects are stored as. The rules define how they are converted. */
    readonly storedAs?: ResourceDefinition;
    /** Given for kinds whose objects are not stored: whether the kind answers a POST, or computes its objects when they are read. */
    readonly virtual?: 'answering' | 'computed';
  };

/** The rules of a subresource that shows a part of the object: see {@link PartSubresource}. */
export interface PartRules<T extends ApiObject> {
  readonly part: Omit<PartSubresource<T>['part'], 'kind' | 'groupStem' | 'version' | 'knownVersions'>;
}

/** The rules of a subresource that answers a POST: see {@link ConnectSubresource}. */
export interface ConnectRules<T extends ApiObject> {
  readonly connect: Omit<ConnectSubresource<T>['connect'], 'kind' | 'groupStem' | 'version' | 'readVersions'>;
}

/** The rules of a subresource that relays requests: see {@link RelaySubresource}. */
export interface RelayRules<T extends ApiObject> {
  readonly relay: Omit<RelaySubresource<T>['relay'], 'kind' | 'verbs' | 'takesPath'>;
}

type SubresourceRules<T extends ApiObject> =
  | Omit<ObjectSubresource<T>, 'verbs'>
  | PartRules<T>
  | ConnectRules<T>
  | RelayRules<T>;

/** The rules of a built-in kind: schema, defaults, validation, columns. Made by {@link defineRules}. */
export interface KindRules<T extends ApiObject>
  extends Pick<ResourceDefinition<T>, Exclude<Rule, 'subresources' | 'schema' | 'checkObject'>> {
  readonly schema: ZodSchema;
  /** The rules of the subresources, keyed by the same names as in {@link KindNames}. */
  readonly subresources?: Readonly<Record<string, SubresourceRules<T>>>;
  readonly storedAs?: Omit<StorageForm, 'converter'>;
  readonly virtual?: VirtualKind;
}

/**
 * Declares the rules of a built-in kind, typed by its schema. They are in a module of their own, which is imported when the kind is first
 * used.
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineRules<const S extends ZodSchema>(
  rules: Omit<KindRules<ObjectWith<S>>, 'schema'> & { readonly schema: S },
): KindRules<ObjectWith<S>> {
  return rules;
}

/**
 * Declares a built-in kind by its names. Its rules are imported when it is first used; until then the members of the definition that are
 * rules throw. Afterwards it is the definition that {@link defineResource} makes of names and rules.
 */
/* @__NO_SIDE_EFFECTS__ */
export function defineKind<T extends ApiObject>(
  names: KindNames<T>,
  importRules: () => Promise<KindRules<T>>,
): ResourceDefinition<T> {
  const { subresources = {}, storedAs, virtual, ...plain } = names;
  const fail = (): never => notLoaded(names.kind);
  const complete = loadedOnce(async () => {
    const rules = await importRules();
    await storedAs?.late?.load();
    settle(definition, wholeKind(names, rules));
    return definition;
  });
  const late: LateRules = { subresources, load: async () => void (await complete()) };
  const definition = {
    // A hundred kinds share one prototype of throwing getters: defining them for each kind would dominate the startup cost of their
    // declarations.
    __proto__: UNLOADED,
    // An own getter, because a spread copies only own members: the copy must fail at once instead of silently lacking its rules.
    get schema() {
      return fail();
    },
    ...defaultsOf(names.kind, false),
    ...plain,
    ...(storedAs ? { storedAs: { definition: storedAs, toStorage: fail, fromStorage: fail } } : {}),
    ...(virtual ? { virtual: virtual === 'answering' ? { create: fail } : { list: fail } } : {}),
    late,
  };
  return definition as unknown as ResourceDefinition<T>; // its rules are members that throw
}

/** Makes the complete definition with {@link defineResource}. @throws TypeError when names and rules contradict each other. */
function wholeKind<T extends ApiObject>(names: KindNames<T>, rules: KindRules<T>): ResourceDefinition {
  const { kind, subresources: named = {}, storedAs, virtual: sort, ...plain } = names;
  const { subresources: ruled = {}, storedAs: form, ...rest } = rules;
  const { virtual } = rest;
  const agree = (are: boolean, what: string) => {
    if (!are) throw new TypeError(`${kind}: names and rules say different things of ${what}`);
  };
  agree((sort === undefined) === (virtual === undefined), 'virtual');
  agree(virtual === undefined || sort === ('create' in virtual ? 'answering' : 'computed'), 'virtual');
  agree((storedAs === undefined) === (form === undefined), 'storedAs');
  const subresources = [...new Set([...Object.keys(named), ...Object.keys(ruled)])].map((name) => {
    const [own, added] = [named[name], ruled[name]];
    agree(own !== undefined && added !== undefined && sortOf(own) === sortOf(added), `subresource ${name}`);
    return [name, withRules(own ?? {}, added ?? {})] as const;
  });
  const whole = {
    kind,
    ...plain,
    ...rest,
    ...(subresources.length > 0 ? { subresources: Object.fromEntries(subresources) } : {}),
    ...(storedAs ? { storedAs: { definition: storedAs, ...form } } : {}),
  };
  return defineResource(whole as unknown as Parameters<typeof defineResource>[0]); // names and rules are all it takes
}

const sortOf = (subresource: object) => ['part', 'connect', 'relay'].find((sort) => sort in subresource);

/** Merges the names and the rules of one subresource, which are of the same sort. */
function withRules(names: SubresourceNames, rules: object): object {
  const sort = sortOf(names);
  if (sort === undefined) return { ...names, ...rules };
  const [own, added] = [names, rules].map((each) => (each as Readonly<Record<string, object>>)[sort]); // of that sort
  return { [sort]: { ...own, ...added } };
}

/** Completes a definition in place and freezes it, so that every existing reference to it sees the rules. */
function settle(definition: object, whole: object): void {
  Object.setPrototypeOf(definition, Object.prototype);
  for (const member of Object.keys(definition))
    if (!Object.hasOwn(whole, member)) Reflect.deleteProperty(definition, member);
  for (const [member, value] of Object.entries(whole))
    Object.defineProperty(definition, member, { value, enumerable: true, writable: true, configurable: true });
  Object.freeze(definition);
}

/**
 * Loads the rules of built-in kinds that are not loaded yet; servers do so when a kind is first used. Call it before you read `schema`,
 * `strategy`, `columns` or another rule of a built-in kind. Other kinds are always complete.
 */
export async function loadKinds(definitions: readonly ResourceDefinition[]): Promise<void> {
  await Promise.all(definitions.map((definition) => definition.late?.load()));
}
