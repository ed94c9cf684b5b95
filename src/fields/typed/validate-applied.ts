import { namesOf } from '../../json/members.js';
import { printGoPlain, printGoType, printGoValue } from '../../json/print-go.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.js';
import { type ApiError, quotingContent, REDACTED } from '../../meta/api-error.js';
import { childPath, MAX_FIELD_ERRORS } from '../../meta/field-error.js';
import { setMember } from '../../schema/json-objects.js';
import type { ListSchema, Schema, StringSchema } from '../../schema/schema.js';
import { fieldElement, formatPathElement, indexElement, type PathElement } from '../paths/path-element.js';
import { itemElement, UnidentifiableItem } from './item-element.js';
import { declaredMember, type FieldsSchema, memberSchema, UNDECLARED } from './shape.js';

/** A validation error of a value. `path` is formatted as in messages (`.spec.ports`); it is '' at the root. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  /** The message without the value that it quotes. Default: the message quotes no value. */
  readonly redacted?: string;
  /** Whether the error is that a set or map list contains an item twice. */
  readonly repeats?: boolean;
}

/** Returns an error with the formatted problems: one problem as `.path: message`, several problems as a list. */
export function problemsError(problems: readonly Problem[], toError: (text: string) => ApiError): ApiError {
  return quotingContent(
    toError(formatProblems(problems)),
    toError(formatProblems(problems.map(({ path, message, redacted = message }) => ({ path, message: redacted })))),
  );
}

function formatProblems(problems: readonly Problem[]): string {
  const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  if (lines.length > MAX_FIELD_ERRORS) lines.splice(MAX_FIELD_ERRORS, Infinity, 'and more');
  return lines.length === 1 ? (lines[0] ?? '') : ['errors:', ...lines.map((line) => `  ${line}`)].join('\n');
}

export interface ValidateOptions {
  /** Whether sets and map lists may contain an item twice, as in stored objects. Default false. */
  readonly allowDuplicates?: boolean;
}

/** The options for an object as it is stored, in contrast to an applied one. */
export const STORED: ValidateOptions = Object.freeze({ allowDuplicates: true });

/**
 * Returns the errors that prevent the merge of a value by its schema: undeclared fields, wrong types, items without keys, duplicates. Null
 * is valid everywhere. As in upstream's responses, each object reports only its first undeclared field, and a list stops at the first item
 * that cannot be identified (spec 6.11, 20.6).
 */
export function findProblems(schema: Schema, value: JsonValue, options: ValidateOptions = {}): readonly Problem[] {
  if (value === null) return NONE;
  switch (schema.type) {
    case 'object':
    case 'map':
      if (isJsonObject(value)) return problemsOfMembers(schema, value, options);
      // A schema that declares properties, but no type, accepts other values, too.
      if (schema.type === 'object' && schema.declaredType !== undefined) return NONE;
      return mismatch('map', `&{${printGoPlain(value)}}`);
    case 'list':
      if (!Array.isArray(value)) return mismatch('list', `&{${printGoPlain(value)}}`);
      return problemsOfItems(schema, value, options);
    case 'string':
      if (typeof value === 'string') return NONE;
      if (isUntyped(schema)) return isCompound(value) ? mismatch('any scalar', `&{${printGoPlain(value)}}`) : NONE;
      return mismatch('string', `&value.valueUnstructured{Value:${printGoValue(value)}}`);
    case 'boolean':
      return typeof value === 'boolean' ? NONE : mismatch('boolean', `&{${printGoPlain(value)}}`);
    case 'integer':
    case 'number':
      return typeof value === 'number' ? NONE : mismatch('numeric (int or float)', printGoType(value));
    case 'intOrString':
    case 'any':
      return NONE;
  }
}

const NONE: readonly Problem[] = Object.freeze([]);

function mismatch(expected: string, found: string): Problem[] {
  const message = (got: string) => `expected ${expected}, got ${got}`;
  return [{ path: '', message: message(found), redacted: message(REDACTED) }];
}
function isCompound(value: JsonValue): boolean {
  return typeof value === 'object';
}
/** Returns whether a string with a format may be any scalar here. Decoding or validation of the merged object checks its type. */
function isUntyped({ format = '' }: StringSchema): boolean {
  return format !== '' && format !== 'byte';
}

function problemsOfMembers(
  schema: FieldsSchema,
  members: { readonly [name: string]: JsonValue | undefined },
  options: ValidateOptions,
): Problem[] {
  const problems: Problem[] = [];
  for (const name of namesOf(members)) {
    const value = members[name];
    if (value === undefined) continue;
    if (problems.length > MAX_FIELD_ERRORS) break;
    const declared = memberSchema(schema, name);
    if (declared === UNDECLARED) {
      problems.push({ path: formatPathElement(fieldElement(name)), message: 'field not declared in schema' });
      break;
    }
    const found = findProblems(declared, value, options);
    if (found.length > 0) addBelow(problems, fieldElement(name), found);
  }
  return problems;
}

function problemsOfItems(schema: ListSchema, items: readonly JsonValue[], options: ValidateOptions): Problem[] {
  const problems: Problem[] = [];
  const atomic = schema.listType === undefined || schema.listType === 'atomic';
  const seen = new Set<PathElement>();
  for (const [i, item] of items.entries()) {
    if (problems.length > MAX_FIELD_ERRORS) break;
    const element = atomic ? indexElement(i) : elementOrReason(schema, item);
    if (typeof element !== 'string') {
      problems.push({ path: '', message: `element ${i}: ${element.message}` });
      break;
    }
    if (seen.has(element) && !options.allowDuplicates) {
      problems.push({ path: '', message: `duplicate entries for key ${formatPathElement(element)}`, repeats: true });
    }
    seen.add(element);
    addBelow(problems, element, findProblems(schema.items, item, options));
  }
  return problems;
}

function elementOrReason(schema: ListSchema, item: JsonValue): PathElement | UnidentifiableItem {
  try {
    return itemElement(schema, item);
  } catch (error) {
    if (error instanceof UnidentifiableItem) return error;
    throw error;
  }
}

function addBelow(problems: Problem[], element: PathElement, found: readonly Problem[]): void {
  for (const { path, ...problem } of found) problems.push({ path: formatPathElement(element) + path, ...problem });
}

/**
 * Returns a value without the members that its schema does not declare; the same value when there are none.
 * @param onUndeclared called with the path of each undeclared member as warnings show it: `spec.items[0].x`
 */
export function dropUndeclared(
  schema: Schema,
  value: JsonValue,
  onUndeclared: (path: string) => void,
  path = '',
): JsonValue {
  if (schema.type === 'list') {
    if (!Array.isArray(value)) return value;
    const kept = value.map((item: JsonValue, i) => dropUndeclared(schema.items, item, onUndeclared, `${path}[${i}]`));
    return kept.some((item, i) => item !== value[i]) ? kept : value;
  }
  if ((schema.type !== 'object' && schema.type !== 'map') || !isJsonObject(value)) return value;
  const kept: JsonObject = {};
  let same = true;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const declared = declaredMember(schema, name);
    const inner = declared && dropUndeclared(declared, member, onUndeclared, childPath(path, name));
    if (inner === undefined) onUndeclared(childPath(path, name));
    else setMember(kept, name, inner);
    if (inner !== member) same = false;
  }
  return same ? value : kept;
}
