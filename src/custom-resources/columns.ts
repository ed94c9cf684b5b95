import { canonicalJson } from '../json/order.js';
import { isJsonObject, type JsonValue } from '../json/value.js';
import type { ApiObject } from '../meta/object-meta.js';
import type { Column } from '../registry/resource-definition.js';
import type { CustomResourceColumnDefinition as CrdColumn } from '../resources/apiextensions/apiextensions-v1.types.js';
import { ageCell, nameColumn } from '../resources/shared/columns.js';
import { formatDouble } from '../values/numbers.js';
import { ParseError } from '../values/parse-error.js';
import { timeToMilliseconds } from '../values/time.js';
import { compileJsonPath, type JsonPath, type LooksLeft, PathError } from './json-path.js';

/** The only column besides the name if a definition declares no columns. */
export const AGE: CrdColumn = {
  name: 'Age',
  type: 'date',
  description: 'How long ago the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

/**
 * The limits for one row of a table: `MAX_VISITS` limits how many values the paths of its cells visit, and `MOST_CHARACTERS` the total
 * length of its cells. They are needed because a definition may have thousands of columns that search the whole object.
 */
const MAX_VISITS = 1_000_000;
const MOST_CHARACTERS = 8 * 1024 * 1024;

interface RowBudget extends LooksLeft {
  characters: number;
}

type Cell = ReturnType<Column<ApiObject>['cell']>;

/**
 * Returns the columns of a custom resource (spec 21.6): the name, then the declared columns before the first one whose path cannot be
 * parsed.
 */
export function columnsOf(declared: readonly CrdColumn[]): readonly Column<ApiObject>[] {
  const columns: Column<ApiObject>[] = [nameColumn];
  // All cells of one row share the limits of visited values and characters. The first declared column resets them.
  let budget: RowBudget;
  for (const [index, column] of declared.entries()) {
    const { name, type, format, priority, jsonPath } = column;
    let path: JsonPath;
    try {
      path = compileJsonPath(jsonPath);
    } catch (error) {
      // Upstream omits the first column that it cannot parse and all columns after it.
      if (error instanceof ParseError) break;
      throw error;
    }
    const description = column.description ?? `Custom resource definition column (in JSONPath format): ${jsonPath}`;
    columns.push({
      name,
      type: type as Column<ApiObject>['type'], // The type was validated with the definition, so the cast is safe.
      ...(format === undefined ? {} : { format }),
      description,
      ...(priority === undefined ? {} : { priority }),
      cell: (object, now) => {
        if (index === 0) budget = { visits: MAX_VISITS, characters: MOST_CHARACTERS };
        return cellOf(type, path, object, now, budget);
      },
    });
  }
  return columns;
}

function cellOf(type: string, path: JsonPath, object: ApiObject, now: number, budget: RowBudget): Cell {
  let found: readonly unknown[];
  try {
    found = path(object, budget);
  } catch (error) {
    if (error instanceof PathError) return null;
    throw error;
  }
  if (found.length === 0) return null;
  const [value] = found;
  switch (type) {
    case 'string': {
      if (budget.characters <= 0) return null;
      const text = printCell(value);
      budget.characters -= text.length;
      return budget.characters < 0 ? null : text;
    }
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    default:
      return typeof value === 'string' ? dateCell(value, now) : null;
  }
}

function printCell(value: unknown): string {
  if (typeof value === 'string') return value;
  // Arrays and records in an API object are plain JSON, so the cast is safe.
  if (Array.isArray(value) || isJsonObject(value)) return canonicalJson(value as JsonValue);
  if (value === null || value === undefined) return '<no value>';
  return typeof value === 'number' && !Number.isInteger(value) ? formatDouble(value) : String(value);
}

function dateCell(text: string, now: number): string {
  if (text === '' || text === 'null') return ageCell(undefined, now);
  try {
    return ageCell(new Date(timeToMilliseconds(text)).toISOString(), now);
  } catch (error) {
    if (error instanceof ParseError) return '<invalid>';
    throw error;
  }
}
