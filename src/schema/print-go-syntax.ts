import { compareText } from '../json/order.js';
import { originalMember } from '../json/original-members.js';
import { parseQuantity } from '../values/quantity.js';
import { quote } from '../values/quote.js';
import type { Typed } from './authoring.js';
import { typeNameOf } from './go-type-name.js';
import type { Property, Schema } from './schema.js';
import { isAmount } from './zero-value.js';

/** The address that is printed for every pointer. The addresses that Go prints differ from run to run. */
const ADDRESS = '0xc000000000';
/** Words that Go writes in capitals at the start of a field name. */
const INITIALISMS = new Set(
  'api aws cidr csi dns fc fs gce http https id ip iqn iscsi nfs os pd pid rbd se tcp tls tty ttl uid uri url'.split(
    ' ',
  ),
);
const NAMES: Readonly<Record<string, string>> = { cephfs: 'CephFS', storageos: 'StorageOS' };

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The order of a struct's fields. Some fields may be in an embedded struct. */
interface Layout {
  readonly first: readonly string[];
  readonly embedded?: { readonly name: string; readonly fields: readonly string[] };
}
/** Fields of pods that upstream's internal type keeps in the security context, or that are deprecated names of another field. */
const NOT_IN_INTERNAL_SPEC = new Set(
  'hostNetwork hostPID hostIPC shareProcessNamespace hostUsers serviceAccount'.split(' '),
);
/** Fields of a pod's spec that have another position in upstream's internal type, each with the field that it follows there. */
const POD_SPEC_MOVES = {
  setHostnameAsFQDN: 'subdomain',
  preemptionPolicy: 'priority',
  overhead: 'runtimeClassName',
};

/**
 * Returns a value of a built-in kind as Go's `%#v` prints it. The recorded API messages print structs, lists and maps in this way:
 * `core.Toleration{Key:"a", Operator:"", Value:"", Effect:"", TolerationSeconds:(*int64)(nil)}`. Type names are those of upstream's
 * internal packages, with a group's name instead of its version.
 * @param schema the schema of the value
 * @param group the package of type names in lists of strings; the package of a struct follows from its definition
 */
export function printGoSyntax(schema: Typed<unknown> | Schema, value: unknown, group = ''): string {
  return print(schema as unknown as Schema, value, group);
}

/**
 * Returns the internal package of a definition: `core` for `io.k8s.api.core.v1.Pod`; '' for a struct that all groups share. Such a struct
 * keeps its version.
 */
function packageOf(definition: string | undefined): string | undefined {
  return definition === undefined ? undefined : (/\.api\.(\w+)\.\w+\.\w+$/.exec(definition)?.[1] ?? '');
}

/** Returns the name of a type with its internal package (`core.`) instead of the version (`v1.`) that decoding errors print. */
function typeName(schema: Schema, around: string): string {
  const own = packageOf(schema.definition) ?? around;
  if (schema.type === 'list' && schema.typeName === undefined) return `[]${typeName(schema.items, own)}`;
  if (schema.type === 'map' && schema.typeName === undefined) return `map[string]${typeName(schema.values, own)}`;
  const name = typeNameOf(schema);
  // All groups use the `ResourceList` of the core group.
  if (name === 'v1.ResourceList') return 'core.ResourceList';
  return own === '' ? name : name.replace(/\bv\d\w*\./g, `${own}.`);
}

function print(schema: Schema, value: unknown, around: string): string {
  const type = typeName(schema, around);
  const own = packageOf(schema.definition) ?? around;
  const absent = value === undefined || value === null;
  switch (schema.type) {
    case 'object': {
      const members = value as Readonly<Record<string, unknown>> | undefined;
      const inside = packageOf(schema.definition) ?? '';
      const show = (names: readonly string[]) =>
        names.flatMap((name) => {
          const property = schema.properties.get(name);
          if (property === undefined) return [];
          return `${goNameOf(name, property)}:${printField(property, originalMember(members, name), inside)}`;
        });
      const { first, embedded } = layoutOf(type, [...schema.properties.keys()]);
      const inner = embedded && `${embedded.name}:${own}.${embedded.name}{${show(embedded.fields).join(', ')}}`;
      return `${type}{${[...show(first), ...(inner ? [inner] : [])].join(', ')}}`;
    }
    case 'list':
      if (absent) return `${type}(nil)`;
      return `${type}{${printFirst(value as readonly unknown[], (item) => print(schema.items, item, own))}}`;
    case 'map': {
      if (absent) return `${type}(nil)`;
      const entries = Object.entries(value as object).sort(([a], [b]) => compareText(a, b));
      const shown = (item: unknown) => (isAmount(schema.values) ? printWritten(item) : print(schema.values, item, own));
      return `${type}{${printFirst(entries, ([key, item]) => `${quote(key)}:${shown(item)}`)}}`;
    }
    case 'string':
      if (isTime(schema)) return printTime(value);
      return schema.format === 'quantity'
        ? printQuantity(absent ? '0' : String(value).trim())
        : quote(String(value ?? ''));
    case 'intOrString':
      return typeof value === 'string'
        ? `intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`
        : `intstr.IntOrString{Type:0, IntVal:${Number(value ?? 0)}, StrVal:""}`;
    case 'any':
      return absent ? `${type}(nil)` : JSON.stringify(value);
    default:
      return String(value ?? (schema.type === 'boolean' ? false : 0));
  }
}

/** Joins the items of a list or map. The number of items is limited, because an item may print a hundred times longer than it was sent. */
function printFirst<T>(items: readonly T[], show: (item: T) => string): string {
  const shown = items.slice(0, MAX_ITEMS).map(show);
  return (items.length > MAX_ITEMS ? [...shown, '...'] : shown).join(', ');
}
const MAX_ITEMS = 1000;

/** Prints a field. For a pointer, Go prints the address instead of the value. */
function printField({ schema, presence }: Property, value: unknown, around: string): string {
  const isPointer = presence?.endsWith('Null') && schema.type !== 'list' && schema.type !== 'map';
  if (!isPointer) return print(schema, value, around);
  // Times have a `GoString` method, which Go calls for pointers, too.
  if (isTime(schema)) return value === undefined || value === null ? '<nil>' : printTime(value);
  return `(*${typeName(schema, around)})(${value === undefined || value === null ? 'nil' : ADDRESS})`;
}

const isTime = (schema: Schema): boolean =>
  schema.type === 'string' && (schema.format === 'date-time' || schema.format === 'micro-time');

/** Prints a time as Go does after upstream has decoded it to the local time zone. */
function printTime(value: unknown): string {
  const [, year, month, day, hour, minute, second, fraction = ''] =
    /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?/.exec(String(value)) ?? [];
  if (year === undefined) return 'time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)';
  const parts = [day, hour, minute, second, fraction.padEnd(9, '0')].map(Number);
  return `time.Date(${Number(year)}, time.${MONTHS[Number(month) - 1]}, ${parts.join(', ')}, time.Local)`;
}

/** Returns the Go name of a field. The metadata of a kind is an embedded struct, so its name is that of its type. */
const goNameOf = (name: string, { schema }: Property): string =>
  name === 'metadata' && packageOf(schema.definition) === '' ? 'ObjectMeta' : fieldName(name);

/** Returns the order of a struct's fields: the serialized order, except for structs whose internal Go type has another order. */
function layoutOf(type: string, names: readonly string[]): Layout {
  if (type === 'core.PodSpec')
    return {
      first: inInternalOrder(
        POD_SPEC_MOVES,
        names.filter((name) => !NOT_IN_INTERNAL_SPEC.has(name)),
      ),
    };
  if (type !== 'core.Volume') return { first: names };
  const fields = inInternalOrder(
    { quobyte: 'rbd' },
    names.filter((name) => name !== 'name'),
  );
  return { first: ['name'], embedded: { name: 'VolumeSource', fields } };
}

function inInternalOrder(moves: Readonly<Record<string, string>>, names: readonly string[]): readonly string[] {
  let out = [...names];
  for (const [name, before] of Object.entries(moves)) {
    out = out.filter((other) => other !== name);
    out.splice(out.indexOf(before) + 1, 0, name);
  }
  return out;
}

function fieldName(name: string): string {
  const word = /^[a-z0-9]+/.exec(name)?.[0] ?? '';
  const first = INITIALISMS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
  return NAMES[name] ?? first + name.slice(word.length);
}

/** Prints a quantity that upstream has decoded but not yet formatted. */
function printWritten(item: unknown): string {
  const text = String(item ?? '0').trim();
  return printQuantity(text, parseQuantity(text).text ?? '');
}

/**
 * Prints a quantity. `shown` is the string that Go's Quantity caches (`s`). The cached string is empty until upstream has formatted the
 * quantity.
 */
export function printQuantity(text: string, shown = text): string {
  const { unscaled, exponent, format } = parseQuantity(text);
  const amount = `resource.int64Amount{value:${unscaled}, scale:${exponent}}`;
  return `resource.Quantity{i:${amount}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quote(shown)}, Format:${quote(format)}}`;
}
