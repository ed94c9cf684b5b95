import type { ListSchema, ObjectSchema, Property, Schema } from '../../src/schema/schema.js';

const STRING: Schema = { type: 'string' };
const METADATA: ObjectSchema = {
  type: 'object',
  properties: new Map<string, Property>([
    ['name', { schema: STRING }],
    ['labels', { schema: { type: 'map', values: STRING } }],
    ['annotations', { schema: { type: 'map', values: STRING } }],
    ['finalizers', { schema: { type: 'list', items: STRING }, patchStrategy: ['merge'] }],
    [
      'ownerReferences',
      {
        schema: { type: 'list', items: struct({ uid: STRING, name: STRING }) },
        patchStrategy: ['merge'],
        patchMergeKey: 'uid',
      },
    ],
    ['managedFields', { schema: { type: 'list', items: struct({}) } }],
  ]),
};

function struct(fields: Readonly<Record<string, Schema>>): ObjectSchema {
  return { type: 'object', properties: new Map(Object.entries(fields).map(([name, schema]) => [name, { schema }])) };
}
const listOf = (items: Schema): ListSchema => ({ type: 'list', items });
const byName: Pick<Property, 'patchStrategy' | 'patchMergeKey'> = { patchStrategy: ['merge'], patchMergeKey: 'name' };

/** The kinds of the recorded patches. */
export const schemas = {
  ConfigMap: struct({
    metadata: METADATA,
    data: { type: 'map', values: STRING },
    binaryData: { type: 'map', values: { type: 'string', format: 'byte' } },
  }),
  ServiceAccount: {
    type: 'object',
    definition: 'io.k8s.api.core.v1.ServiceAccount',
    properties: new Map<string, Property>([
      ['metadata', { schema: METADATA }],
      ['secrets', { schema: listOf(struct({ name: STRING })), ...byName }],
      ['imagePullSecrets', { schema: listOf(struct({ name: STRING })) }],
    ]),
  },
  Pod: struct({
    metadata: METADATA,
    spec: {
      type: 'object',
      properties: new Map<string, Property>([
        [
          'containers',
          {
            schema: listOf({
              type: 'object',
              properties: new Map<string, Property>([
                ['name', { schema: STRING }],
                ['image', { schema: STRING }],
                ['command', { schema: listOf(STRING) }],
                ['env', { schema: listOf(struct({ name: STRING, value: STRING })), ...byName }],
              ]),
            }),
            ...byName,
          },
        ],
        ['tolerations', { schema: listOf(struct({ key: STRING })) }],
        ['overhead', { schema: { type: 'map', values: struct({}) } }],
        ['raw', { schema: { type: 'any', definition: 'io.k8s.apimachinery.pkg.runtime.RawExtension' } }],
        [
          'strategy',
          { schema: struct({ type: STRING, rolling: struct({ max: STRING }) }), patchStrategy: ['retainKeys'] },
        ],
      ]),
    },
  }),
} satisfies Readonly<Record<string, ObjectSchema>>;

/** A field in the notation of the table: the name of a type, or an object with further members. */
export interface TableField {
  readonly list?: string;
  readonly object?: string;
  readonly map?: string;
  readonly any?: boolean;
  readonly patchStrategy?: string;
  readonly patchMergeKey?: string;
}
export type TableSchema = Readonly<Record<string, Readonly<Record<string, string | TableField>>>>;

/** Returns the schema of a type in the table; types may be recursive. */
export function schemaOfTable(table: TableSchema, root: string): ObjectSchema {
  const made = new Map<string, ObjectSchema>();
  const typeOf = (name: string): Schema => {
    const fields = table[name];
    if (fields === undefined) return name === 'string' ? STRING : { type: 'number' };
    const known = made.get(name);
    if (known !== undefined) return known;
    const properties = new Map<string, Property>();
    const schema: ObjectSchema = { type: 'object', properties, definition: name };
    made.set(name, schema);
    for (const [field, written] of Object.entries(fields)) properties.set(field, propertyOf(written, typeOf));
    return schema;
  };
  typeOf(root);
  return made.get(root) ?? { type: 'object', properties: new Map() };
}

function propertyOf(written: string | TableField, typeOf: (name: string) => Schema): Property {
  if (typeof written === 'string') return { schema: typeOf(written) };
  const { list, object, map, patchStrategy, patchMergeKey } = written;
  let schema: Schema = { type: 'any' };
  if (list !== undefined) schema = listOf(typeOf(list));
  else if (map !== undefined) schema = { type: 'map', values: typeOf(map) };
  // The cases of the table have lists where this type has a pointer to a struct.
  else if (object !== undefined) schema = patchMergeKey === undefined ? typeOf(object) : listOf(typeOf(object));
  return {
    schema,
    // The table writes several strategies with commas.
    ...(patchStrategy === undefined ? {} : { patchStrategy: patchStrategy.split(',') as ('merge' | 'retainKeys')[] }),
    ...(patchMergeKey === undefined ? {} : { patchMergeKey }),
  };
}
