import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/json/value.js';
import { formatFieldError } from '../../src/meta/field-error.js';
import { rejection } from '../../src/plugins/webhook/review.js';
import { caBundleProblem } from '../../src/resources/apiextensions/ca-bundle.js';
import { applyDefaults } from '../../src/schema/defaults.js';
import { openApiToSchema } from '../../src/schema/openapi-to-schema.js';
import { prune } from '../../src/schema/prune.js';
import type { ObjectSchema } from '../../src/schema/schema.js';
import { prepareSchema, validateStructural } from '../../src/schema/structural.js';
import { fromGoSchema, type Go, isRecord, lower } from '../support/go-structs.js';
import { cases, hasSharedData } from '../support/shared-data.js';

// These tables omit types that follow from other members.
const fromGo = (schema: unknown) => fromGoSchema(schema, { addTypes: true });
const parse = (text: string): JsonValue => JSON.parse(text);

/** Tables of Go structs omit types where definitions may not, or have rules, which the validation of a schema does not include. */
const isOfDefinitions = ({ name }: { readonly name: string }) =>
  !/nil schema|additionalProperties with bool|transition rule|validation rule under|invalid regex/.test(name);

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
    // Fields outside of the schema do not matter for this table.
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
