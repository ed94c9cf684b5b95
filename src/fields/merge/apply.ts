import { equalJson } from '../../json/equal.js';
import { type Flow, settled } from '../../meta/flow.js';
import { NEVER_OWNED } from '../never-owned.js';
import { recursiveDifference } from '../paths/path-set.js';
import { hasFieldSet } from '../typed/has-field-set.js';
import { merge } from '../typed/merge.js';
import { prune } from '../typed/prune.js';
import { restoreEmptied } from '../typed/restore-emptied.js';
import { toFieldSet } from '../typed/to-field-set.js';
import { type Conflict, conflictsOf } from './conflict.js';
import { type Manager, type Managers, ownerOf } from './managers.js';
import { fitManagers, transfer, type WriteRules } from './update.js';
import type { Typed } from './versions.js';

/** Rules of an apply, in addition to those of every write. */
export interface ApplyRules extends WriteRules {
  /** Whether an applied empty map or list stays empty, rather than null or absent, after its former members are removed. Default false. */
  readonly keepsEmptied?: boolean;
}

/** The result of an apply, or its conflicts. */
export type ApplyResult =
  | {
      readonly conflicts: readonly Conflict[];
      readonly object?: undefined;
    }
  | {
      readonly conflicts?: undefined;
      /** The live object itself when nothing changed. */
      readonly object: Typed;
      /** A map that the caller may change. */
      readonly managers: Map<string, Manager>;
    };

/**
 * Runs server-side apply (spec 6.8): merges the applied fields into the live object, removes the fields that the manager gave up and no
 * other manager owns, and updates the owners. Changed fields of other managers are conflicts unless `force` is set; then the others lose
 * them. A field that is applied with its current value is shared.
 */
export function* applyFields(
  live: Typed,
  applied: Typed,
  managers: Managers,
  self: { readonly id: string; readonly manager: Omit<Manager, 'fields'> },
  force: boolean,
  rules: ApplyRules,
  pause?: () => Promise<void>,
): Flow<ApplyResult> {
  const before = new Map(fitManagers(live, managers, rules));
  const last = before.get(self.id);
  const { schema, apiVersion } = live;
  const merged = { schema, apiVersion, value: merge(schema, live.value, applied.value) };
  if (pause) yield* settled(pause());
  const same = last?.apiVersion === apiVersion && hasFieldSet(schema, applied.value, last.fields, NEVER_OWNED);
  if (pause) yield* settled(pause());
  const owned = same ? last.fields : toFieldSet(schema, applied.value);
  const fields = recursiveDifference(owned, rules.resetFields(apiVersion));
  before.set(self.id, ownerOf(self.manager, fields, last?.time));

  if (pause) yield* settled(pause());
  const left = yield* prune(merged, before, self.id, last, rules.convert, pause);
  const pruned =
    rules.keepsEmptied && left !== merged
      ? { ...left, value: restoreEmptied(schema, left.value, applied.value) }
      : left;
  if (pause) yield* settled(pause());
  const { losses, managers: after } = transfer(live, pruned, before, self.id, rules);
  if (pause) yield* settled(pause());
  if (losses.length > 0 && !force) return { conflicts: conflictsOf(losses) };
  return { object: equalJson(pruned.value, live.value) ? live : pruned, managers: after };
}
