import { apiError } from '../meta/api-error.js';
import { fieldError, formatFieldError } from '../meta/field-error.js';
import type { ApiObject, ListMeta } from '../meta/object-meta.js';
import { type PartialObjectMetadata, partialObjectMetadata } from './partial-object-metadata.js';

export type Cell = string | number | boolean | null;

/** A column and how to fill it. */
export interface TableColumn<T = ApiObject> {
  readonly name: string;
  /** `string`, `integer`, `number`, `boolean` or `date`. */
  readonly type: string;
  readonly format?: string;
  readonly description: string;
  /** 0 is always shown, more only in wide output. Default 0. */
  readonly priority?: number;
  /** Rows have the cell, but nothing names it. Default false. */
  readonly unnamed?: boolean;
  /** `now` in milliseconds since the epoch, for ages. */
  cell(object: T, now: number): Cell;
}

export interface TableColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** What is known of a whole row. */
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
  /** Null in all events of a watch but the first. */
  readonly columnDefinitions: readonly TableColumnDefinition[] | null;
  readonly rows: readonly TableRow[];
}

/** A Table whose rows are made as they are gone through. */
export interface LazyTable extends Omit<Table, 'rows'> {
  readonly rows: Iterable<TableRow>;
}

/** What of an object goes along with its row. */
export type IncludeObject = 'Metadata' | 'Object' | 'None';

export interface TableOptions<T> {
  /** The requested version of the meta group: `meta.example/v1`. */
  readonly apiVersion: string;
  /** Default {@link defaultColumns}. */
  readonly columns?: readonly TableColumn<T>[];
  /** Default none. */
  readonly rowConditions?: ((object: T) => readonly TableRowCondition[] | undefined) | undefined;
  /** Default Metadata. */
  readonly includeObject?: IncludeObject;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A time that was never set, as a cell shows it. */
const ZERO_TIME = '0001-01-01T00:00:00Z';

/** The columns of kinds without their own. */
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
 * Reads the query parameter `includeObject`; absent or empty is Metadata.
 * @throws ApiError 400 for another value
 */
export function parseIncludeObject(value: string | undefined): IncludeObject {
  if (value === undefined || value === '') return 'Metadata';
  if (value === 'Metadata' || value === 'Object' || value === 'None') return value;
  const problem = fieldError.invalid('includeObject', value, "must be 'Metadata', 'Object', 'None', or empty");
  throw apiError.badRequest(`Unable to convert to Table as requested: ${formatFieldError(problem)}`);
}

/** A list as a Table. */
export function tableOfList<T extends ApiObject>(
  list: { readonly metadata: ListMeta; readonly items: readonly T[] },
  options: TableOptions<T>,
): LazyTable {
  const { metadata, items } = list;
  return { ...tableHead(metadata, columnDefinitions(options), options), rows: tableRows(items, options) };
}

/** One object as a Table of one row. */
export function tableOfObject<T extends ApiObject>(object: T, options: TableOptions<T>): Table {
  return makeTable(metaOf(object), [object], columnDefinitions(options), options);
}

/**
 * Turns the objects of a watch, bookmarks included, into Tables of one row each: the first names the columns.
 * @returns to be called for each event in turn, with the time in milliseconds
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

/** A Table without its rows, which come last. */
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
