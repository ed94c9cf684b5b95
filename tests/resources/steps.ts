import { k8s } from '../../src/meta/dialect.js';
import { type FieldError, formatFieldError } from '../../src/meta/field-error.js';
import type { ApiObject } from '../../src/meta/object-meta.js';
import { METADATA_CHECK } from '../../src/meta/object-meta-validation.js';
import type { ResourceDefinition } from '../../src/registry/resource-definition.js';
import type { Draft, StrategyContext } from '../../src/registry/strategy.js';
import { decodeTyped } from '../../src/schema/decode.js';
import { fakeHost } from '../support/hosts.js';

const host = fakeHost();
export const context: StrategyContext = {
  user: { username: 'tester' },
  host,
  dryRun: false,
  warn: () => undefined,
};

const draftOf = <T extends ApiObject>(object: unknown) => structuredClone(object) as Draft<T>;

/** Decodes a body as a route does, with defaults. */
export function readBody<T extends ApiObject>(definition: ResourceDefinition<T>, body: object): T {
  const draft = draftOf<T>(decodeTyped(definition.schema, body).value);
  definition.setDefaults?.(draft, k8s);
  return draft as T; // no longer edited
}

/** Returns the object that a create stores for a body. */
export function created<T extends ApiObject>(definition: ResourceDefinition<T>, body: object): T {
  const draft = draftOf<T>(readBody(definition, body));
  definition.strategy?.prepareForCreate?.(draft, context);
  return draft as T; // no longer edited
}

/** Returns the object that an update stores for a body, through a subresource if one is named. */
export function updated<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  body: object,
  old: T,
  subresource?: string,
): T {
  const draft = draftOf<T>(readBody(definition, body));
  strategyOf(definition, subresource)?.prepareForUpdate?.(draft, old, context);
  return draft as T; // no longer edited
}

function strategyOf<T extends ApiObject>(definition: ResourceDefinition<T>, subresource: string | undefined) {
  const route = subresource === undefined ? undefined : definition.subresources?.[subresource];
  return route === undefined ? definition.strategy : 'strategy' in route ? route.strategy : undefined;
}

const texts = async (errors: readonly FieldError[] | Promise<readonly FieldError[]> | undefined) =>
  ((await errors) ?? []).filter((error) => error !== METADATA_CHECK).map(formatFieldError);

export const createErrors = <T extends ApiObject>(definition: ResourceDefinition<T>, body: object) =>
  texts(definition.strategy?.validate?.(created(definition, body), context));

/** Returns the errors of an update, through a subresource if one is named. */
export function updateErrors<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  body: object,
  old: T,
  subresource?: string,
) {
  const strategy = strategyOf(definition, subresource);
  const next = updated(definition, body, old, subresource);
  const errors = strategy?.validateUpdate?.(next, old, context);
  return texts(errors ?? (strategy === definition.strategy ? definition.strategy?.validate?.(next, context) : []));
}

/** Returns one row of the Table; `wide` adds the other columns. */
export function row<T extends ApiObject>(
  { columns = [] }: ResourceDefinition<T>,
  object: T,
  now: number,
  wide = false,
) {
  return columns.filter(({ priority = 0 }) => wide || priority === 0).map((column) => column.cell(object, now));
}
