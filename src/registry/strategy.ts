import type { FieldError } from '../meta/field-error.js';
import type { Host } from '../meta/host.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { UserInfo } from '../meta/user-info.js';
import type { DeleteOptions } from './writes/delete-options.js';

/** Makes every level of a type writable: what strategies get to edit. */
export type Draft<T> = T extends readonly (infer U)[]
  ? Draft<U>[]
  : T extends object
    ? { -readonly [K in keyof T]: Draft<T[K]> }
    : T;

/** What a strategy may know of the request it serves. */
export interface StrategyContext {
  /** The server: its dialect, clock, chance and listers. */
  readonly host: Host;
  readonly user: UserInfo;
  /** Everything runs but the commit. */
  readonly dryRun: boolean;
  /** Adds a Warning header to the answer. */
  warn(text: string): void;
}

type Errors = readonly FieldError[] | Promise<readonly FieldError[]>;

/** What a write holds until it ends. */
export interface Claim {
  /** The write has ended: what it stored speaks for itself, and what it did not store is free again. */
  end(): void;
  /** Whether no other object was stored meanwhile with what it holds: another server on the same storage may have given it, too. */
  isStillFree(): boolean;
}

/**
 * Gives objects what they cannot share with each other: addresses, ports. What is taken is read off the stored objects, so that no
 * failure leaks and a restart forgets nothing; only what a write under way has been given is held beside them. Made once for a server,
 * at the kind's first write.
 */
export interface Allocation<T extends ApiObject> {
  /** Completes a new object, before the kind prepares it. A dry run is given something, too, and holds nothing. @throws ApiError */
  create(draft: Draft<T>, context: StrategyContext): Claim;
  /** Completes a changed object, before the kind prepares it. @throws ApiError */
  update(draft: Draft<T>, old: T, context: StrategyContext): Claim;
}

/**
 * The rules of one kind beyond the generic flow. All members are optional; an absent one means the generic behaviour.
 * `prepare…` may change the draft they are given and nothing else; `validate…` may change nothing. Both may run more
 * than once for one request, on fresher objects.
 */
export interface Strategy<T extends ApiObject> {
  /** Runs on create after mutating admission, before validation: clears what clients may not set. */
  prepareForCreate?(draft: Draft<T>, context: StrategyContext): void;
  /** Runs as a new object is stored, after all that may wait. @throws ApiError to refuse it. */
  atCommit?(): void;
  /** Prefixes of keys in the storage that `atCommit` looks at. */
  readonly commitsOn?: readonly string[];
  /** Runs on every update after mutating admission: restores from `old` what this route may not change. */
  prepareForUpdate?(draft: Draft<T>, old: T, context: StrategyContext): void;
  /** Problems of a new object, beyond those of its metadata. */
  validate?(object: T, context: StrategyContext): Errors;
  /** Problems of a changed object; default: those of `validate`. */
  validateUpdate?(object: T, old: T, context: StrategyContext): Errors;
  /** Runs when an object that was stored before is read in, before it is validated: fills in what older servers did not store. */
  completeStored?(draft: Draft<T>, host: Host): void;
  /** Runs on every create and update once the object is valid: fills in what storing it does. */
  canonicalize?(draft: Draft<T>): void;
  /** Warnings to send with a successful create or update. */
  warnings?(object: T, old: T | undefined, context: StrategyContext): readonly string[];
  /** Runs before a deletion, after preconditions. @throws ApiError to refuse it. */
  validateDelete?(object: T, context: StrategyContext, options: DeleteOptions): void;
  /**
   * The first phase of a deletion for kinds with one of their own (namespaces): changes the draft of the marked object.
   * Answer `remove` to let it go at once when no finalizer holds it, `keep` to hold it.
   */
  beginDeletion?(draft: Draft<T>, old: T, context: StrategyContext): 'remove' | 'keep';
  /** Whether an updated object that is being deleted may go now, beyond having no finalizers. */
  readyToRemove?(object: T): boolean;
  /** Seconds of graceful deletion; undefined: the kind has none and goes at once. */
  gracePeriod?(object: T, requested: number | undefined): number | undefined;
}
