/* Schemas that upstream's tests of cost estimates generate, as OpenAPI. `max` limits what the generator limits. */

type Json = Readonly<Record<string, unknown>>;
export type Generator = (max: number | undefined) => { readonly schema: Json; readonly rule: string };

const bounded = (name: string, max: number | undefined): Json => (max === undefined ? {} : { [name]: max });
const TEXT_FORMATS = new Set(['duration', 'date', 'date-time', 'byte']);
function typed(type: string): Json {
  if (type === 'int-or-string') return { 'x-kubernetes-int-or-string': true };
  return TEXT_FORMATS.has(type) ? { type: 'string', format: type } : { type };
}
const list = (items: Json, max?: number): Json => ({ type: 'array', items, ...bounded('maxItems', max) });
const map = (values: Json, max?: number): Json => ({
  type: 'object',
  additionalProperties: values,
  ...bounded('maxProperties', max),
});
const text = (max?: number): Json => ({ type: 'string', ...bounded('maxLength', max) });
const object: Json = {
  type: 'object',
  required: ['required'],
  properties: { required: { type: 'string' }, optional: { type: 'string' } },
};

type Make = (args: readonly string[], max: number | undefined) => Json;
const byGenerator: Readonly<Record<string, Make>> = {
  genArrayWithRule: ([type = ''], max) => list(typed(type), max),
  genArrayOfArraysWithRule: ([type = ''], max) => list(list(typed(type)), max),
  genObjectArrayWithRule: (_args, max) => list(object, max),
  getMapArrayWithRule: ([type = ''], max) => list(map(typed(type)), max),
  genMapWithRule: ([type = ''], max) => map(typed(type), max),
  genStringWithRule: (_args, max) => text(max),
  genEnumWithRuleAndValues: ([, ...values], max) => ({ ...text(max), enum: values }),
  genBytesWithRule: (_args, max) => ({ ...text(max), format: 'byte' }),
  genNestedSpecWithRule: (_args, max) => map(text(max), max),
  genAllMaxNestedSpecWithRootRule: (_args, max) =>
    list(map({ ...object, properties: { ...(object['properties'] as Json), required: text(max) } }, max), max),
  genOneMaxNestedSpecWithRootRule: (_args, max) => list(map(object, max)),
};
const items: Readonly<Record<string, Json>> = {
  genObjectForMap: object,
  genMapForMap: map({ type: 'number' }),
  genArrayForMap: list({ type: 'number' }),
};
/** Schemas that upstream writes inline. The data has no rule for them, but these rules have the recorded cost. */
const byName: Readonly<Record<string, readonly [make: (max: number | undefined) => Json, rule: string]>> = {
  'extended library join': [(max) => list(text(max), max), "self.join(' ') == 'aa bb'"],
  'extended library isSorted': [(max) => list(text(max), max), 'self.isSorted() == true'],
  'extended library lowerAscii': [text, "self.lowerAscii() == 'string'"],
};

export function generatorOf(name: string, generator: string | null, args: readonly unknown[]): Generator {
  const written = byName[name];
  if (written !== undefined) return (max) => ({ schema: written[0](max), rule: written[1] });
  const [first, second] = args;
  if (generator === 'genMapWithCustomItemRule') {
    const item = items[(first as { $call: string }).$call] ?? {};
    return (max) => ({ schema: map(item, max), rule: String(second) });
  }
  const make = byGenerator[generator ?? ''];
  if (make === undefined) throw new TypeError(`no generator ${generator}`);
  const texts = args.map(String);
  const typedFirst = /^gen(Array(OfArrays)?|Map)WithRule$|^getMapArray/.test(generator ?? '');
  const rule = texts[typedFirst ? 1 : 0] ?? '';
  return (max) => ({ schema: make(typedFirst ? texts : ['', ...texts.slice(1)], max), rule });
}
