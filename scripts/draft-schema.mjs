// Prints a draft of a kind's schema in the form of src/schema/authoring.ts: all structs of the kind that no file of src/ declares yet, each
// before its first use.
//
//   node scripts/draft-schema.mjs DEFINITION --swagger FILE [--proto FOLDER]... [--numbers FILE] [--schemas FOLDER] [--stored FILE]
//
// DEFINITION  name in OpenAPI, e.g. io.k8s.api.apps.v1.Deployment
// --swagger   an OpenAPI v2 document: types, formats, list types, merge keys, required fields
// --proto     a folder of .proto files: field numbers, and the order of the wire format
// --numbers   the same as a table with a line for each message: `package P`, then `Message a b=4 c`
// --schemas   recorded OpenAPI v3 schemas: `default: {}` shows that a struct is not a pointer
// --stored    recorded objects as they are stored: a number or string that is written although it is empty is not a pointer
//
// A guess that no source confirms is marked with `// ?`: whether an optional field is a pointer (omitNull) or a value (omitEmpty). The
// author adds type names of strings (`typeName`) and descriptions.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const [definition, ...options] = process.argv.slice(2);
const given = (name) => options.flatMap((option, i) => (option === `--${name}` ? [options[i + 1]] : []));
const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
const filesOf = (folder, ending) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && statSync(join(folder, name)).isFile())
    .map((name) => join(folder, name));

if (!definition || given('swagger').length !== 1) {
  console.error(
    'usage: draft-schema.mjs DEFINITION --swagger FILE [--proto FOLDER] [--numbers FILE] [--schemas FOLDER] [--stored FILE]',
  );
  process.exit(2);
}
const { definitions } = json(given('swagger')[0]);
if (!definitions[definition]) throw new Error(`no ${definition} in the document`);

const refOf = (schema) => schema.$ref?.replace('#/definitions/', '');

// ---- field numbers

/** By definition and field: the number, and for messages that JSON does not contain both numbers. */
const numbers = new Map();
for (const folder of given('proto'))
  for (const file of filesOf(folder, '.proto')) readProto(readFileSync(file, 'utf8'));
for (const file of given('numbers')) readTable(readFileSync(file, 'utf8'));

function readProto(text) {
  const pack = (/^package (.+);/m.exec(text)?.[1] ?? '').replace(/^k8s\.io/, 'io.k8s');
  let fields;
  for (const line of text.split('\n')) {
    const opened = /^message (\w+)/.exec(line)?.[1];
    if (opened) numbers.set(`${pack}.${opened}`, (fields = new Map()));
    const [, type, name, number] = /^ {2}(?:optional |repeated |required )?(\S.*?) (\w+) = (\d+);/.exec(line) ?? [];
    if (number)
      fields?.set(name, {
        number,
        type: type.includes('.') ? type.replace(/^\.?k8s\.io/, 'io.k8s') : `${pack}.${type}`,
      });
  }
}
function readTable(text) {
  let pack = '';
  for (const line of text.trim().split('\n')) {
    const [name, ...words] = line.split(' ');
    if (name === 'package') pack = words[0];
    else {
      let last = 0;
      const fields = words.map((word) => {
        const [field, at] = word.split('=');
        const number = at ?? String(last + 1);
        last = Number(number.split('.')[0]);
        return [field, { number, type: '' }];
      });
      numbers.set(`${pack}.${name}`, new Map(fields));
    }
  }
}
/** Returns names and numbers in the order of the wire format. */
function fieldsOf(name) {
  const { properties = {} } = definitions[name];
  const left = new Map(Object.keys(properties).map((key) => [key.toLowerCase(), key]));
  const out = [];
  const take = (field, number) => {
    const key = left.get(field.toLowerCase());
    if (key === undefined) return false;
    left.delete(field.toLowerCase());
    out.push([key, number]);
    return true;
  };
  for (const meta of ['kind', 'apiVersion']) if (!numbers.get(name)?.has(meta)) take(meta, undefined);
  for (const [field, { number, type }] of numbers.get(name) ?? [])
    if (!take(field, number)) for (const [inner, at] of numbers.get(type) ?? []) take(inner, `${number}.${at.number}`);
  for (const key of left.values()) out.push([key, '?']);
  return out;
}

// ---- presence

/** `definition.field` of structs that are not pointers. */
const byValue = new Set();
/** `definition.field` with its published default. */
const defaults = new Map();
const seen = new Set();
for (const folder of given('schemas'))
  for (const file of filesOf(folder, '.json'))
    for (const { step = '', body } of json(file).steps ?? []) {
      const name = /io\.k8s\.\S+$/.exec(step)?.[0];
      if (!name || !body?.properties) continue;
      seen.add(name);
      for (const [field, schema] of Object.entries(body.properties))
        if (typeof schema === 'string') {
          if (/^@\S+ default=\{\}/.test(schema)) byValue.add(`${name}.${field}`);
          const filled = /^\S+ default=("[^"]+"|[1-9]\d*|true)/.exec(schema)?.[1];
          if (filled) defaults.set(`${name}.${field}`, filled.replaceAll('"', "'"));
        }
    }

/** `definition.field`: how often its message was stored, how often with the field, and whether ever with an empty value. */
const stored = new Map();
const kinds = new Map();
for (const [name, { 'x-kubernetes-group-version-kind': gvks }] of Object.entries(definitions))
  for (const { group, version, kind } of gvks ?? []) kinds.set(`${group ? `${group}/` : ''}${version} ${kind}`, name);
for (const file of given('stored'))
  for (const { value, encoding, apiVersion, kind } of json(file).objects)
    if (encoding !== 'json' && kinds.has(`${apiVersion} ${kind}`))
      countStored(Buffer.from(value, 'base64'), kinds.get(`${apiVersion} ${kind}`));

function countStored(document, name) {
  if (document.subarray(0, 3).toString() !== 'k8s') return;
  const raw = fieldsIn(document.subarray(4)).find(({ number }) => number === 2)?.bytes;
  if (raw) countMessage(raw, name);
}
function countMessage(bytes, name) {
  const fields = numbers.get(name);
  if (!fields || !definitions[name]) return;
  const found = fieldsIn(bytes);
  for (const [field, { number }] of fields) {
    const property = definitions[name].properties?.[field];
    if (!property || number.includes('.')) continue;
    const key = `${name}.${field}`;
    const count = stored.get(key) ?? { all: 0, there: 0, empty: false };
    const values = found.filter((each) => String(each.number) === number);
    const empty = values.some(({ value, bytes: part }) => value === 0 || part?.length === 0);
    stored.set(key, {
      all: count.all + 1,
      there: count.there + (values.length > 0 ? 1 : 0),
      empty: count.empty || empty,
    });
    const inner = refOf(property) ?? refOf(property.items ?? {});
    if (inner) for (const { bytes: part } of values) if (part) countMessage(part, inner);
  }
}
function fieldsIn(bytes) {
  const out = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; at < bytes.length; shift *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * shift;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag % 8;
    const number = Math.floor(tag / 8);
    if (wire === 0) out.push({ number, value: varint() });
    else if (wire === 2) {
      const length = varint();
      out.push({ number, bytes: bytes.subarray(at, at + length) });
      at += length;
    } else at += wire === 1 ? 8 : 4;
  }
  return out;
}

function presenceOf(name, field, property) {
  if (definitions[name].required?.includes(field)) return ['required', ''];
  const ref = refOf(property);
  const struct = ref !== undefined && isStruct(ref);
  const time = /\.(Micro)?Time$/.test(ref ?? '');
  if (property.type === 'array' || (property.type === 'object' && !struct)) return ['omitEmpty', ''];
  const count = stored.get(`${name}.${field}`);
  if (count && count.all > count.there) return ['omitNull', ''];
  if (struct || time) {
    if (byValue.has(`${name}.${field}`) || count)
      return ['always', count && !byValue.has(`${name}.${field}`) && seen.has(name) ? ' // ?' : ''];
    if (['spec', 'status', 'metadata'].includes(field)) return ['always', seen.has(name) ? '' : ' // ?'];
    return ['omitNull', seen.has(name) && struct ? '' : ' // ?'];
  }
  if (ref?.endsWith('.IntOrString') || ref?.endsWith('.Quantity')) return [count ? 'always' : 'omitNull', ' // ?'];
  return ['omitEmpty', count?.empty ? '' : ' // ?'];
}

// ---- printing

const isStruct = (name) => definitions[name]?.type === 'object' && !/\.(FieldsV1|RawExtension)$/.test(name);
const lower = (name) =>
  name
    .slice(name.lastIndexOf('.') + 1)
    .replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (start) => start.toLowerCase());
const used = new Set();
const word = (name, call = `${name}()`) => {
  used.add(name);
  return call;
};

function typeOf(schema, name) {
  const ref = refOf(schema);
  if (ref) {
    const leaf = { Time: 'time', MicroTime: 'microTime', Quantity: 'quantity', IntOrString: 'intOrString' }[
      ref.slice(ref.lastIndexOf('.') + 1)
    ];
    if (leaf) return word(leaf);
    if (/\.RawExtension$/.test(ref)) return word('any', `any({ definition: '${ref}' })`);
    return lower(ref);
  }
  switch (schema.type) {
    case 'array': {
      const item = typeOf(schema.items, name);
      const keys = schema['x-kubernetes-list-map-keys'];
      const type = { atomic: 'listAtomic', set: 'listSet', map: 'listMap' }[schema['x-kubernetes-list-type']] ?? 'list';
      return word(type, keys ? `${type}(${item}, [${keys.map((key) => `'${key}'`).join(', ')}])` : `${type}(${item})`);
    }
    case 'object': {
      const type = schema['x-kubernetes-map-type'] === 'atomic' ? 'atomicMap' : 'map';
      return word(type, `${type}(${typeOf(schema.additionalProperties ?? { type: 'string' }, name)})`);
    }
    case 'string':
      if (schema.format === 'byte') return word('bytes');
      return schema.enum
        ? word('string', `string({ enum: [${schema.enum.map((each) => `'${each}'`).join(', ')}] })`)
        : 'text';
    case 'integer':
      return schema.format === 'int64' ? 'long' : 'count';
    case 'boolean':
      return 'flag';
    case 'number':
      return word('double');
    default:
      return word('any');
  }
}

function lineOf(name, field, number) {
  const property = definitions[name].properties[field];
  const [presence, doubt] = presenceOf(name, field, property);
  word(presence);
  const options = [];
  const strategy = property['x-kubernetes-patch-strategy'];
  if (strategy)
    options.push(
      `patchStrategy: [${strategy
        .split(',')
        .map((each) => `'${each}'`)
        .join(', ')}]`,
    );
  if (property['x-kubernetes-patch-merge-key'])
    options.push(`patchMergeKey: '${property['x-kubernetes-patch-merge-key']}'`);
  const shown = defaults.get(`${name}.${field}`);
  if (shown) options.push(`default: ${shown}`);
  const facts = options.length > 0 ? `, { ${options.join(', ')} }` : '';
  const at = number.includes('.') ? number.split('.')[1] : number;
  return `  ${field}: ${presence}(${typeOf(property, name)}, ${at}, 'TODO'${facts}),${doubt}`;
}

const known = new Set();
for (const file of filesOf(new URL('../src', import.meta.url).pathname, '.ts')) {
  const text = readFileSync(file, 'utf8');
  for (const [name] of text.matchAll(/(?<=')io\.k8s\.[\w.-]+(?=')/g)) known.add(`${name} ${file}`);
  for (const [, name] of text.matchAll(/coreStruct\(\s*'(\w+)'/g)) known.add(`io.k8s.api.core.v1.${name} ${file}`);
}
const homes = new Map([...known].map((entry) => entry.split(' ')));

const drafts = [];
const visited = new Set();
const imported = new Map();
function draft(name) {
  if (visited.has(name)) return;
  visited.add(name);
  if (homes.has(name) && name !== definition) {
    imported.set(lower(name), homes.get(name));
    return;
  }
  const { properties = {} } = definitions[name];
  for (const property of Object.values(properties))
    for (const inner of [property, property.items ?? {}, property.additionalProperties ?? {}]) {
      const ref = refOf(inner);
      if (ref && isStruct(ref)) draft(ref);
    }
  const top = definitions[name]['x-kubernetes-group-version-kind'] !== undefined && name === definition;
  const lines = [];
  let outer = '';
  for (const [field, number = '?'] of fieldsOf(name)) {
    if (top && ['kind', 'apiVersion', 'metadata'].includes(field)) continue;
    const into = number.includes('.') ? number.split('.')[0] : '';
    if (into !== outer && outer) lines.push('  }),');
    if (into !== outer && into) lines.push(`  ...${word('embedded', 'embedded')}(${into}, {`);
    outer = into;
    lines.push(lineOf(name, field, number));
  }
  if (outer) lines.push('  }),');
  const mapType = definitions[name]['x-kubernetes-map-type'];
  const options = mapType ? `, { mapType: '${mapType}' }` : '';
  word(top ? 'topLevel' : 'struct');
  const head = top ? `export const ${lower(name)}Schema = topLevel(` : `const ${lower(name)} = struct(`;
  drafts.push(`${head}'${name}', 'TODO', () => ({\n${lines.join('\n')}\n})${options});\n`);
}
draft(definition);

console.log(`// authoring: ${[...used].sort().join(', ')}; core-struct: text, flag, count, long`);
for (const [name, file] of imported) console.log(`// ${name}: ${file.replace(/.*\/src\//, 'src/')}`);
console.log(`\n${drafts.join('\n')}`);
