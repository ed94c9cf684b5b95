import { describe, expect, it } from 'vitest';
import { rejection } from '../../src/admission/webhook/review.js';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { formatFieldError } from '../../src/meta/field-error.js';
import { caBundleProblem } from '../../src/resources/apiextensions/ca-bundle.js';
import { applyDefaults } from '../../src/schema/defaults.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { prune } from '../../src/schema/prune.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { prepareSchema, validateStructural } from '../../src/schema/structural.js';
import { cases, hasSharedData } from '../support/shared-data.js';

type Go = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Go => typeof value === 'object' && value !== null && !Array.isArray(value);
const lower = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const EXTENSION = /^X([A-Z].*)$/;

/** A schema as Go writes it, in the form of definitions. */
function fromGo(schema: unknown): JsonObject {
  const out: Record<string, JsonValue> = {};
  if (!isRecord(schema)) return out;
  for (const [name, member] of Object.entries(schema)) {
    if (name === 'Generic' || name === 'Extensions' || name === 'ValueValidation' || name === 'JSONSchemaProps')
      Object.assign(out, fromGo(member));
    else if (name === 'Properties')
      out['properties'] = Object.fromEntries(
        Object.entries(member as Go).map(([key, value]) => [key, fromGo(value)]),
      ) as JsonObject;
    else if (name === 'Items')
      out['items'] = fromGo(isRecord(member) && 'Schema' in member ? member['Schema'] : member);
    else if (name === 'AdditionalProperties') {
      const { Structural, Schema, Bool, Allows } = member as Go;
      out['additionalProperties'] =
        Structural || Schema ? fromGo(Structural ?? Schema) : ((Bool ?? Allows ?? false) as boolean);
    } else if (name === 'Default')
      out['default'] = (isRecord(member) && 'Object' in member ? member['Object'] : member) as JsonValue;
    else if (['AllOf', 'AnyOf', 'OneOf'].includes(name)) out[lower(name)] = (member as unknown[]).map(fromGo);
    else if (name === 'Not') out['not'] = fromGo(member);
    else if (EXTENSION.test(name))
      out[`x-kubernetes-${name.slice(1).replace(/[A-Z]/g, (c, i) => (i === 0 ? '' : '-') + c.toLowerCase())}`] =
        member as JsonValue;
    else out[lower(name)] = member as JsonValue;
  }
  // These schemas leave out what follows.
  if (out['type'] === undefined && out['x-kubernetes-int-or-string'] === undefined) {
    if (
      out['properties'] !== undefined ||
      out['additionalProperties'] !== undefined ||
      out['x-kubernetes-embedded-resource']
    )
      out['type'] = 'object';
    else if (out['items'] !== undefined) out['type'] = 'array';
  }
  return out;
}

const parse = (text: string): JsonValue => JSON.parse(text);

/** Tables of Go structs leave types out where definitions may not, or have rules, which are no part of a schema's own validation. */
const isOfDefinitions = ({ name }: { readonly name: string }) =>
  !/nil schema|additionalProperties with|transition rule|validation rule under|invalid regex/.test(name);

interface Changed {
  readonly name: string;
  readonly json: string;
  readonly schema?: Go | null;
  readonly expected?: string;
  readonly expectedObject?: string;
  readonly isResourceRoot?: boolean;
}

describe.skipIf(!hasSharedData)("the upstream's tables of custom resources", () => {
  it.each(
    cases<Changed[]>('crd', 'TestDefault', 'tests')
      .filter(isOfDefinitions)
      .map((one) => [one.name, one] as const),
  )('defaults: %s', (_name, { json, schema, expected = '' }) => {
    expect(applyDefaults(openApiToSchema(fromGo(schema)), parse(json))).toEqual(parse(expected));
  });

  it.each(
    cases<Changed[]>('crd', 'TestPruneNonNullableNullsWithoutDefaults', 'tests')
      .filter(isOfDefinitions)
      .map((one) => [one.name, one] as const),
  )('nulls without defaults: %s', (_name, { json, schema, expected = '' }) => {
    // Fields that a schema does not know are not what this table is about.
    const keep = (at: unknown): unknown =>
      isRecord(at)
        ? {
            ...Object.fromEntries(Object.entries(at).map(([key, value]) => [key, keep(value)])),
            ...(at['type'] === 'object' ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
          }
        : at;
    const typed = JSON.parse(JSON.stringify(fromGo(schema)).replaceAll('{}', '{"type":"string"}'));
    const read = openApiToSchema(keep(typed));
    expect(prune(read, parse(json))).toEqual(parse(expected));
  });

  it.each(
    cases<Changed[]>('crd', 'TestPrune', 'tests')
      .filter(isOfDefinitions)
      .map((one) => [one.name, one] as const),
  )('pruning: %s', (_name, { json, schema, expectedObject = '', isResourceRoot }) => {
    const read = openApiToSchema(fromGo(schema)) as ObjectSchema;
    const whole = isResourceRoot ? { ...read, embeddedResource: true } : read;
    expect(prune(whole, parse(json))).toEqual(parse(expectedObject));
  });

  interface Validated {
    readonly name: string;
    readonly schema: Go;
    readonly objects?: readonly unknown[];
    readonly failingObjects?: readonly {
      readonly object: unknown;
      readonly oldObject?: unknown;
      readonly expectErrs: readonly string[];
    }[];
  }
  it.each(
    cases<Validated[]>('crd', 'TestValidateCustomResource', 'tests')
      .filter(isOfDefinitions)
      .map((one) => [one.name, one] as const),
  )('validation: %s', async (_name, { schema, objects = [], failingObjects = [] }) => {
    const read = openApiToSchema(fromGo(schema));
    await prepareSchema(read);
    for (const object of objects) expect(validateStructural(read, object, '')).toEqual([]);
    for (const { object, oldObject, expectErrs } of failingObjects) {
      const told = validateStructural(read, object, '', oldObject).map(formatFieldError);
      for (const error of expectErrs) expect(told.join('\n')).toContain(error);
      expect(told).toHaveLength(expectErrs.length);
    }
  });

  interface Bundle {
    readonly name: string;
    readonly caBundle: string | null;
    readonly expectErr: boolean;
  }
  it.each(cases<Bundle[]>('admission', 'TestValidateCABundle', 'tests').map((one) => [one.name, one] as const))(
    'authorities: %s',
    async (_name, { caBundle, expectErr }) => {
      const webhook = { conversionReviewVersions: [], clientConfig: { caBundle: btoa(caBundle ?? '') } };
      const problem = await caBundleProblem({ strategy: 'Webhook', webhook });
      expect(problem !== undefined).toBe(expectErr);
    },
  );

  interface Refused {
    readonly name: string;
    readonly result: Go | null;
    readonly expectedError: { readonly a: string; readonly b: string };
    readonly expectedCode: number;
    readonly expectedStatus: string;
  }
  it.each(cases<Refused[]>('admission', 'TestToStatusErr', 'tests').map((one) => [one.name, one] as const))(
    'refusals of webhooks: %s',
    (_name, { result, expectedError, expectedCode, expectedStatus }) => {
      const said =
        result &&
        (Object.fromEntries(Object.entries(result).map(([name, value]) => [lower(name), value])) as JsonObject);
      const { status } = rejection('foo', said ?? undefined);
      expect(status.message?.replaceAll('"foo"', 'foo')).toBe(expectedError.a + expectedError.b);
      expect(status).toMatchObject({ code: expectedCode, status: expectedStatus });
    },
  );
});
