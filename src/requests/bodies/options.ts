import { apiError } from '../../meta/api-error.js';
import type { Dialect } from '../../meta/dialect.js';
import type { FeatureGates } from '../../meta/features/gates.js';
import { type FieldError, fieldError } from '../../meta/field-error.js';
import type { FieldValidation } from '../../meta/field-validation.js';
import { validateFieldManager } from '../../meta/manager-name.js';
import { parseBoolean, parseInt64, type Query, readDryRun } from '../../meta/query.js';
import { parseSelectors, type Selectors } from '../../registry/reads/selection.js';
import { checkDelete, type DeleteOptions, refusedOptions } from '../../registry/writes/delete-options.js';
import { messageOf } from '../../values/message-of.js';

/** Query parameters of create, update and patch (spec 3.3). */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** The field manager, or '' if the request names none. */
  readonly fieldManager: string;
  readonly fieldValidation: FieldValidation;
  /** The parameter `fieldValidation` as sent, or '' if the request does not name it. */
  readonly sentFieldValidation: string;
  /** Whether an apply takes over fields of other managers; used by apply only. */
  readonly force: boolean;
}

/** Query parameters of list, watch and deletecollection. */
export interface ListOptions {
  readonly selectors: Selectors;
  readonly watch: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  readonly limit: number;
  readonly continueToken: string;
  readonly allowWatchBookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
}

/**
 * Reads and checks the options of a write.
 * @param verb the verb in the name of the options kind (CreateOptions, UpdateOptions, PatchOptions).
 * @throws ApiError 422.
 */
export function readWriteOptions(
  query: Query,
  verb: 'Create' | 'Update' | 'Patch',
  dialect: Dialect,
  apply = false,
): WriteOptions {
  const fieldManager = query.first('fieldManager') ?? '';
  const fieldValidation = query.first('fieldValidation') ?? '';
  const force = parseBoolean(query.first('force'));
  const dryRun = readDryRun(query.all('dryRun'), dialect);
  const errors: FieldError[] = [];
  if (verb === 'Patch') {
    if (apply && fieldManager === '') errors.push(fieldError.required('fieldManager', 'is required for apply patch'));
    if (!apply && force !== undefined)
      errors.push(fieldError.forbidden('force', 'may not be specified for non-apply patch'));
  }
  errors.push(...validateFieldManager(fieldManager, 'fieldManager'), ...dryRun.errors);
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(fieldValidation))
    errors.push(fieldError.notSupported('fieldValidation', fieldValidation, ['', 'Ignore', 'Strict', 'Warn']));
  if (errors.length > 0) throw refusedOptions(dialect, `${verb}Options`, errors);
  const level = fieldValidation === 'Ignore' || fieldValidation === 'Strict' ? fieldValidation : 'Warn';
  return {
    dryRun: dryRun.value,
    fieldManager,
    fieldValidation: level,
    sentFieldValidation: fieldValidation,
    force: force ?? false,
  };
}

interface ListHost {
  readonly dialect: Dialect;
  readonly gates: Pick<FeatureGates, 'WatchList'>;
}

/**
 * Reads and checks the options of a list or watch. The parameter `watch` decides which options exclude each other, even for the old
 * `/watch/…` paths and for deletecollection.
 * @throws ApiError 400 for a value that is not a number, and for a selector that does not parse; 422, or 400 in some API dialects, for
 * options that exclude each other.
 */
export function readListOptions(query: Query, { dialect, gates }: ListHost): ListOptions {
  const options = {
    watch: parseBoolean(query.first('watch')) ?? false,
    resourceVersion: query.first('resourceVersion') ?? '',
    resourceVersionMatch: query.first('resourceVersionMatch') ?? '',
    timeoutSeconds: integer(query, 'timeoutSeconds'),
    limit: Math.max(integer(query, 'limit') ?? 0, 0),
    continueToken: query.first('continue') ?? '',
    allowWatchBookmarks: parseBoolean(query.first('allowWatchBookmarks')) ?? false,
    sendInitialEvents: parseBoolean(query.first('sendInitialEvents')),
  };
  const selectors = parseSelectors(query.first('labelSelector') ?? '', query.first('fieldSelector') ?? '');
  const errors = options.watch ? checkWatch(options, gates.WatchList) : checkList(options);
  if (errors.length === 0) return { ...options, selectors };
  const refusal = refusedOptions(dialect, 'ListOptions', errors);
  throw dialect.rulings.invalidResourceVersionMatch === 422 ? refusal : refusal.withCode(400, 'BadRequest');
}

/**
 * Reads an integer parameter.
 * @throws ApiError 400 if it is not an integer.
 */
function integer(query: Query, name: string): number | undefined {
  const text = query.first(name);
  if (text === undefined) return undefined;
  try {
    return parseInt64(text);
  } catch (error) {
    throw apiError.badRequest(messageOf(error));
  }
}

type CombinedOptions = Omit<ListOptions, 'selectors'>;

/** Checks the combinations of list options (spec 4.3). */
function checkList(options: CombinedOptions): readonly FieldError[] {
  const { resourceVersion: version, resourceVersionMatch: match, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  const path = 'resourceVersionMatch';
  if (match !== '') {
    if (version === '')
      errors.push(fieldError.forbidden(path, 'resourceVersionMatch is forbidden unless resourceVersion is provided'));
    if (continueToken !== '')
      errors.push(fieldError.forbidden(path, 'resourceVersionMatch is forbidden when continue is provided'));
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(fieldError.notSupported(path, match, ['Exact', 'NotOlderThan', '']));
    if (match === 'Exact' && version === '0')
      errors.push(fieldError.forbidden(path, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  if (sendInitialEvents !== undefined)
    errors.push(fieldError.forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list'));
  return errors;
}

function checkWatch(options: CombinedOptions, watchList: boolean): readonly FieldError[] {
  const { resourceVersionMatch: match, continueToken, sendInitialEvents } = options;
  const errors: FieldError[] = [];
  const path = 'resourceVersionMatch';
  if (sendInitialEvents !== undefined) {
    if (match !== 'NotOlderThan')
      errors.push(
        fieldError.forbidden(path, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
      );
    if (!watchList)
      errors.push(
        fieldError.forbidden(
          'sendInitialEvents',
          'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
        ),
      );
  }
  if (match !== '') {
    if (sendInitialEvents === undefined)
      errors.push(
        fieldError.forbidden(path, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      );
    if (match !== 'NotOlderThan') errors.push(fieldError.notSupported(path, match, ['NotOlderThan']));
  }
  if (continueToken !== '')
    errors.push(fieldError.forbidden(path, 'resourceVersionMatch is forbidden when continue is provided'));
  return errors;
}

/**
 * Reads the options of a deletion from the query (spec 7.2).
 * @throws ApiError 400, 422.
 */
export function readDeleteQuery(
  query: Query,
  dialect: Dialect,
): { readonly options: DeleteOptions; readonly dryRun: boolean } {
  // An empty parameter is no precondition.
  const uid = query.first('uid') || undefined;
  const resourceVersion = query.first('resourceVersion') || undefined;
  return checkDelete(
    {
      gracePeriodSeconds: integer(query, 'gracePeriodSeconds'),
      orphanDependents: parseBoolean(query.first('orphanDependents')),
      propagationPolicy: query.first('propagationPolicy'),
      preconditions: uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion },
    },
    query.all('dryRun'),
    dialect,
  );
}
