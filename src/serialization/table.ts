import { apiError } from '../meta/api-error.js';
import { fieldError, formatFieldError } from '../meta/field-error.js';
import type { ApiObject, ListMeta } from '../meta/object-meta.js';
import { type PartialObjectMetadata, partialObjectMetadata } from './partial-object-metadata.js';

export type Cell = string | number | boolean | null;

/** A column and the function that fills its cells. */
export interface TableColumn<T = ApiObject> {
  readonly name: string;
  /** One of `string`, `integer`, `number`, `boolean` or `date`. */
  readonly type: string;
  readonly format?: string;
  readonly description: string;
  /** A column with priority 0 is always displayed, others only in wide output. Default: 0. */
  readonly priority?: number;
  /** Whether rows have a cell for the column but the column definitions do not list it. Default: false. */
  readonly unnamed?: boolean;
  /**
   * Returns the cell of an object.
   * @param now milliseconds since the epoch, from which ages are computed
   */
  cell(object: T, now: number): Cell;
}

export interface TableColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** A condition of a row, such as `Completed` for a finished pod. */
export interface TableRowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export interface TableRow {
  readonly cells: readonly Cell[];
  readonly conditions?: readonly TableRowCondition[];
  readonly object: ApiObject | PartialObjectMetadata | null;
}

/** A collection, an object or an event as rows and columns (spec 9.11). */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: string;
  readonly metadata: ListMeta;
  /** The columns. In a watch, only the first event has them; they are null in later events. */
  readonly columnDefinitions: readonly TableColumnDefinition[] | null;
  readonly rows: readonly TableRow[];
}

/** A Table whose rows are created on iteration. */
export interface LazyTable extends Omit<Table, 'rows'> {
  readonly rows: Iterable<TableRow>;
}

/** How much of an object its row contains: the whole object, only its metadata, or nothing. */
export type IncludeObject = 'Metadata' | 'Object' | 'None';

export interface TableOptions<T> {
  /** The requested version of the meta group: `meta.example/v1`. */
  readonly apiVersion: string;
  /** The columns. Default: {@link defaultColumns}. */
  readonly columns?: readonly TableColumn<T>[];
  /** Returns the conditions of an object's row. Default: no conditions. */
  readonly rowConditions?: ((object: T) => readonly TableRowCondition[] | undefined) | undefined;
  /** How much of each object its row contains. Default: Metadata. */
  readonly includeObject?: IncludeObject;
  /** The time in milliseconds since the epoch. */
  readonly now: number;
}

/** The cell for a time that was never set. */
const ZERO_TIME = '0001-01-01T00:00:00Z';

/** The columns of kinds that do not define any. */
const defaultColumns: readonly TableColumn[] = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Name must be unique within a namespace.',
    cell: (object) => object.metadata.name ?? '',
  },
  {
    name: 'Created At',
    type: 'date',
    description: 'CreationTimestamp is a timestamp representing the server time when this object was created.',
    cell: (object) => object.metadata.creationTimestamp ?? ZERO_TIME,
  },
];

/**
 * Reads the query parameter `includeObject`; absent or empty means Metadata.
 * @throws ApiError 400 for another value
 */
export function parseIncludeObject(value: string | undefined): IncludeObject {
  if (value === undefined || value === '') return 'Metadata';
  if (value === 'Metadata' || value === 'Object' || value === 'None') return value;
  const problem = fieldError.invalid('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty");
  throw apiError.badRequest(`Unable to convert to Table as requested: ${formatFieldError(problem)}`);
}

/** Returns a list as a Table. */
export function tableOfList<T extends ApiObject>(
  list: { readonly metadata: ListMeta; readonly items: readonly T[] },
  options: TableOptions<T>,
): LazyTable {
  const { metadata, items } = list;
  return { ...tableHead(metadata, columnDefinitions(options), options), rows: tableRows(items, options) };
}

/** Returns one object as a Table of one row. */
export function tableOfObject<T extends ApiObject>(object: T, options: TableOptions<T>): Table {
  return makeTable(metaOf(object), [object], columnDefinitions(options), options);
}

/**
 * Returns a function that converts the object of each watch event, including bookmarks, to a Table of one row. Only the first Table has the
 * columns.
 * @returns the function; `now` is in milliseconds since the epoch
 */
export function tableWatch<T extends ApiObject>(
  options: Omit<TableOptions<T>, 'now'>,
): (object: T, now: number) => Table {
  let columns: readonly TableColumnDefinition[] | null = columnDefinitions(options);
  return (object, now) => {
    const table = makeTable(metaOf(object), [object], columns, { ...options, now });
    columns = null;
    return table;
  };
}

function makeTable<T extends ApiObject>(
  metadata: ListMeta,
  objects: readonly T[],
  definitions: readonly TableColumnDefinition[] | null,
  options: TableOptions<T>,
): Table {
  return { ...tableHead(metadata, definitions, options), rows: [...tableRows(objects, options)] };
}

/** Returns a Table without its rows, which follow as the last member. */
function tableHead(
  metadata: ListMeta,
  columnDefinitions: readonly TableColumnDefinition[] | null,
  { apiVersion }: Pick<TableOptions<never>, 'apiVersion'>,
): Omit<Table, 'rows'> {
  return { kind: 'Table', apiVersion, metadata, columnDefinitions };
}

function* tableRows<T extends ApiObject>(objects: readonly T[], options: TableOptions<T>): Generator<TableRow> {
  const { apiVersion, now, includeObject = 'Metadata' } = options;
  const columns = columnsOf(options);
  for (const object of objects) {
    const conditions = options.rowConditions?.(object);
    yield {
      cells: columns.map((column) => column.cell(object, now)),
      ...(conditions && { conditions }),
      object:
        includeObject === 'None'
          ? null
          : includeObject === 'Object'
            ? object
            : partialObjectMetadata(object, apiVersion),
    };
  }
}

const columnsOf = <T extends ApiObject>(options: Pick<TableOptions<T>, 'columns'>): readonly TableColumn<T>[] =>
  options.columns ?? defaultColumns;

function columnDefinitions<T extends ApiObject>(
  options: Pick<TableOptions<T>, 'columns'>,
): readonly TableColumnDefinition[] {
  return columnsOf(options)
    .filter(({ unnamed }) => unnamed !== true)
    .map(({ name, type, format = '', description, priority = 0 }) => ({ name, type, format, description, priority }));
}

function metaOf(object: ApiObject): ListMeta {
  const { resourceVersion } = object.metadata;
  return resourceVersion === undefined || resourceVersion === '' ? {} : { resourceVersion };
}
