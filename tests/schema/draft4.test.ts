import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { prepareSchema, validateStructural } from '../../src/schema/structural.js';
import { hasSharedData, readShared, sharedUrl } from '../support/shared-data.js';

interface Group {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}
type Json = Readonly<Record<string, unknown>>;

const FOLDER = 'data/jsonschema-draft4';
/** About the value alone: what structural schemas allow beside, and in, their types. */
const VALUE = [
  'maximum exclusiveMaximum minimum exclusiveMinimum multipleOf maxLength minLength pattern',
  'maxItems minItems maxProperties minProperties enum required description',
].flatMap((names) => names.split(' '));
const JUNCTORS = ['allOf', 'anyOf', 'oneOf'];

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a schema is one of values only, as they stand in junctors: without types. */
function isValueValidation(schema: unknown): boolean {
  return (
    isRecord(schema) &&
    Object.entries(schema).every(([name, member]) => {
      if (JUNCTORS.includes(name)) return Array.isArray(member) && member.every(isValueValidation);
      if (name === 'not' || name === 'items') return isValueValidation(member);
      if (name === 'properties') return isRecord(member) && Object.values(member).every(isValueValidation);
      return VALUE.includes(name);
    })
  );
}

/** Whether a schema has one type, and so has all that is in it. */
function isTyped(schema: unknown): boolean {
  return (
    isRecord(schema) &&
    typeof schema['type'] === 'string' &&
    schema['type'] !== 'null' &&
    (schema['type'] !== 'array' || schema['items'] !== undefined) &&
    Object.entries(schema).every(([name, member]) => {
      if (JUNCTORS.includes(name)) return Array.isArray(member) && member.every(isValueValidation);
      if (name === 'not') return isValueValidation(member);
      if (name === 'items') return isTyped(member);
      if (name === 'properties') return isRecord(member) && Object.values(member).every(isTyped);
      return name === 'type' || VALUE.includes(name);
    })
  );
}

/** A structural schema that says the same; undefined where there is none. */
function structural(schema: Json): object | undefined {
  if (isTyped(schema)) return schema;
  return isValueValidation(schema) ? { 'x-kubernetes-preserve-unknown-fields': true, allOf: [schema] } : undefined;
}

// What is optional is about numbers beyond 64 bits, and 1.0 apart from 1: neither is known here or upstream as the suite has it.
const isAsked = (file: string) => file.endsWith('.json') && !file.startsWith('optional_');
const files = hasSharedData ? readdirSync(sharedUrl(FOLDER)).filter(isAsked) : [];
const groups = files.flatMap((file) =>
  readShared<readonly Group[]>(`${FOLDER}/${file}`)
    .filter(({ schema }) => structural(schema) !== undefined)
    .map((group) => [`${file}: ${group.description}`, group] as const),
);

describe.skipIf(!hasSharedData)(
  `JSON Schema draft 4, as far as structural schemas have its keywords: ${groups.length} schemas`,
  () => {
    it.each(groups)('%s', async (_name, { schema, tests }) => {
      const read = openApiToSchema(structural(schema));
      await prepareSchema(read);
      for (const { description, data, valid } of tests) {
        // Upstream does not check allOf for null.
        if (data === null && !isTyped(schema)) continue;
        // Upstream divides whole numbers by the whole part of a factor (see structural-order.test.ts).
        if (schema['multipleOf'] === 1.5 && data === 35) continue;
        const errors = validateStructural(read, data, 'value');
        expect([description, errors.length === 0, errors.map(({ detail }) => detail)]).toEqual([
          description,
          valid,
          valid ? [] : expect.anything(),
        ]);
      }
    });

    it('covers most of the suite without references, tuples and patterns of names', () => {
      expect(groups.length).toBe(29);
    });
  },
);
