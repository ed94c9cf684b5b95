/** A column of the Tables in which clients can request the kind's objects. */
export interface Column<T> {
  /** The heading of the column, such as `Ready`. */
  readonly name: string;
  /** The type of the cells; `date` for times. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  /** The OpenAPI format of the cells. Clients treat the column with the format `name` as the name of the object. Default: none. */
  readonly format?: string;
  /** A sentence about the column, which clients can show. */
  readonly description: string;
  /** Columns with priority 0 are always shown, columns with a higher priority only in wide output. Default 0. */
  readonly priority?: number;
  /** Whether rows have a cell for this column although `columnDefinitions` does not list the column. Default false. */
  readonly unnamed?: boolean;
  /** Returns the value of the cell. `now` is the current time in milliseconds, from which ages are computed. */
  cell(object: T, now: number): string | number | boolean | null;
}

/** A condition of a row of a Table (`TableRowCondition`). */
export interface RowCondition {
  /** The type of the condition, such as `Completed`. */
  readonly type: string;
  /** The status: `True`, `False` or `Unknown`. */
  readonly status: string;
  /** The reason, one word. */
  readonly reason?: string;
  /** A sentence for people. */
  readonly message?: string;
}
