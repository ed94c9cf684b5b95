import { type ApiError, apiError } from '../../meta/api-error.js';
import { MAX_FIELD_ERRORS } from '../../meta/field-error.js';
import { quote } from '../../values/quote.js';
import { formatPath, type Path } from '../paths/path-element.js';
import { pathsOf } from '../paths/path-set.js';
import { type Manager, managerId } from './managers.js';
import type { LostFields } from './update.js';

/** A field that an apply would change although another manager owns it. */
export interface Conflict {
  readonly manager: Manager;
  readonly path: Path;
}

/** Returns a conflict for each path that a manager would lose, in the order of each manager's paths. */
export function conflictsOf(losses: readonly LostFields[]): Conflict[] {
  return losses.flatMap(({ manager, fields }) => pathsOf(fields).map((path) => ({ manager, path })));
}

/** Sorts conflicts by manager; the order within a manager stays. */
function sortConflicts(conflicts: readonly Conflict[]): Conflict[] {
  const sorted = conflicts.map((conflict) => ({ conflict, id: managerId(conflict.manager) }));
  return sorted.sort((a, b) => (a.id === b.id ? 0 : a.id < b.id ? -1 : 1)).map(({ conflict }) => conflict);
}

/** Returns the error for an apply with conflicts: 409 with one cause per path, ordered by managers and paths (spec 6.12). */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const sorted = sortConflicts(conflicts);
  return apiError.applyConflict(
    conflictMessage(sorted),
    sorted.slice(0, MAX_FIELD_ERRORS).map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${formatManager(manager)}`,
      field: formatPath(path),
    })),
  );
}

function conflictMessage(sorted: readonly Conflict[]): string {
  const [first] = sorted;
  if (first !== undefined && sorted.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${formatManager(first.manager)}: ${formatPath(first.path)}`;
  }
  const lines: string[] = [];
  let current: Manager | undefined;
  for (const { manager, path } of sorted.slice(0, MAX_FIELD_ERRORS)) {
    if (manager !== current) lines.push(`conflicts with ${formatManager(manager)}:`);
    current = manager;
    lines.push(`- ${formatPath(path)}`);
  }
  if (sorted.length > MAX_FIELD_ERRORS) lines.push(`and ${sorted.length - MAX_FIELD_ERRORS} more`);
  return `Apply failed with ${sorted.length} conflicts: ${lines.join('\n')}`;
}

/** Formats a manager: `"name" with subresource "status" using v1`. Only updates show the version. */
function formatManager({ name, operation, subresource, apiVersion }: Manager): string {
  const where = subresource === '' ? '' : ` with subresource ${quote(subresource)}`;
  return quote(name) + where + (operation === 'Update' ? ` using ${apiVersion}` : '');
}
