import type { FieldError } from '../meta/field-error.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';
import type { DeleteOptions } from './writes/delete-options.js';

/** The mutable form of a type at every level, for the drafts that strategies edit. */
export type Draft<T> = T extends readonly (infer U)[]
  ? Draft<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Draft<T[K]> }
    : T;

/** The data of a request that a strategy may use. */
export interface StrategyContext {
  /** The environment of the server: its API dialect, clock, random source and listers. */
  readonly host: Host;
  /** The caller, or the user that the caller impersonates. */
  readonly user: UserInfo;
  /** Whether everything runs except the commit. */
  readonly dryRun: boolean;
  /** Adds a Warning header to the response. */
  warn(text: string): void;
}

type Errors = readonly FieldError[] | Promise<readonly FieldError[]>;

/** Values (addresses, ports) that a write reserves until it ends. */
export interface Claim {
  /**
   * Ends the reservation; it is called when the write has ended. A value that was stored stays allocated to the stored object; every other
   * reserved value becomes free.
   */
  end(): void;
  /**
   * Returns whether all reserved values are still free: no other stored object has one of them. Another server on the same storage may have
   * allocated a reserved value in the meantime.
   */
  isStillFree(): boolean;
}

/**
 * Allocates values that must be unique among objects (addresses, ports). The used values are read from the stored objects, so a failed
 * write leaks no value and a restart loses none. Only the values that running writes have reserved are kept separately. A server creates
 * the allocation of a kind at the kind's first write.
 */
export interface Allocation<T extends ApiObject> {
  /**
   * Allocates the unique values (addresses, ports) of a new object, before `prepareForCreate`. A dry run gets values, too, but reserves
   * nothing.
   * @throws ApiError
   */
  create(draft: Draft<T>, context: StrategyContext): Claim;
  /** Allocates the unique values (addresses, ports) that an update adds to an object, before `prepareForUpdate`. @throws ApiError */
  update(draft: Draft<T>, old: T, context: StrategyContext): Claim;
}

/**
 * What the registry does for one kind in addition to what it does for every kind. All members are optional. `prepare…` may change its
 * draft and nothing else; `validate…` may change nothing. These functions may run more than once for one request, each time on the newest
 * object.
 */
export interface Strategy<T extends ApiObject> {
  /** Runs on create after mutating admission, before validation: clears the fields that clients may not set. */
  prepareForCreate?(draft: Draft<T>, context: StrategyContext): void;
  /** Runs synchronously at the commit of a new object, after every asynchronous check. @throws ApiError to refuse it. */
  atCommit?(): void;
  /** Prefixes of the storage keys that `atCommit` depends on. */
  readonly commitsOn?: readonly string[];
  /**
   * Runs on every update after mutating admission: restores from `old` the fields that a write of this resource or subresource may not
   * change.
   */
  prepareForUpdate?(draft: Draft<T>, old: T, context: StrategyContext): void;
  /**
   * Returns the validation errors of a new object, except those of its metadata.
   * @param metadataErrors the errors of the metadata, for checks that depend on them
   */
  validate?(object: T, context: StrategyContext, metadataErrors?: readonly FieldError[]): Errors;
  /** Returns the validation errors of an update, except those of its metadata. Default: the result of `validate`. */
  validateUpdate?(object: T, old: T, context: StrategyContext, metadataErrors?: readonly FieldError[]): Errors;
  /** Runs when a saved object is loaded, before it is validated: fills in fields that older servers did not store. */
  completeStored?(draft: Draft<T>, host: Host): void;
  /** Runs on every create and update once the object is valid: fills in the fields that upstream fills when it stores the object. */
  canonicalize?(draft: Draft<T>): void;
  /** Returns the warnings to send with a successful create or update. */
  warnings?(object: T, old: T | undefined, context: StrategyContext): readonly string[];
  /**
   * Runs at the beginning of a DELETE, before the object is read. `name` is undefined for the DELETE of a collection.
   * @throws ApiError to refuse it.
   */
  beforeDelete?(name: string | undefined, context: StrategyContext, options: DeleteOptions): void;
  /** Runs before the preconditions of a deletion are checked. @throws ApiError to refuse it. */
  validateDelete?(object: T, context: StrategyContext, options: DeleteOptions): void;
  /**
   * Runs the first phase of a deletion for kinds with a rule of their own (namespaces): edits the draft of the object, which has a
   * deletionTimestamp. Returns `remove` to delete the object at once when it has no finalizers, `keep` to keep it, and `pending` to change
   * nothing and to skip admission.
   */
  beginDeletion?(
    draft: Draft<T>,
    old: T,
    context: StrategyContext,
    options: DeleteOptions,
  ): 'remove' | 'keep' | 'pending';
  /** Returns whether an updated object that is being deleted and has no finalizers may be removed from the store. */
  readyToRemove?(object: T): boolean;
  /** Returns the grace period of a deletion in seconds; undefined when the object is deleted at once. */
  gracePeriod?(object: T, requested: number | undefined): number | undefined;
}
