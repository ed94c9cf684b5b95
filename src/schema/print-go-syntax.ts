import { asGiven } from '../json/as-given.js';
import { compareText } from '../json/order.js';
import { parseQuantity } from '../values/quantity.js';
import { quote } from '../values/quote.js';
import type { Typed } from './authoring.js';
import { typeNameOf } from './go-type-name.js';
import type { Property, Schema } from './schema.js';
import { isAmount } from './zero-value.js';

/** Some address: where a pointer points to is of no interest to anybody. */
const ADDRESS = '0xc000000000';
/** Words that Go's names write in capitals. */
const INITIALISMS = new Set(
  'api aws cidr csi dns fc fs gce http https id ip iqn iscsi nfs os pd pid rbd se tcp tls tty ttl uid uri url'.split(
    ' ',
  ),
);
const NAMES: Readonly<Record<string, string>> = { cephfs: 'CephFS', storageos: 'StorageOS' };

/**
 * A value of a built-in kind as Go's `%#v` prints it, in which recorded messages show structs, lists and maps:
 * `core.Toleration{Key:"a", Operator:"", Value:"", Effect:"", TolerationSeconds:(*int64)(nil)}`. Types are those of the
 * reference's internal packages: a group's name instead of its version.
 * @param schema the value's, as kinds write it
 * @param group the package of names that a list of texts has; structs know theirs
 */
export function printGoSyntax(schema: Typed<unknown>, value: unknown, group = ''): string {
  return print(schema as unknown as Schema, value, group);
}

/** `core` of `io.k8s.api.core.v1.Pod`; what all groups share keeps its version. */
function packageOf(definition: string | undefined): string | undefined {
  return definition === undefined ? undefined : /\.api\.(\w+)\.\w+\.\w+$/.exec(definition)?.[1];
}

/** Names of types are written with the version, as decoding errors have them: the package takes its place. */
function typeName(schema: Schema, around: string): string {
  const own = packageOf(schema.definition) ?? around;
  if (schema.type === 'list' && schema.typeName === undefined) return `[]${typeName(schema.items, own)}`;
  if (schema.type === 'map' && schema.typeName === undefined) return `map[string]${typeName(schema.values, own)}`;
  const name = typeNameOf(schema);
  return own === '' ? name : name.replace(/^v\d\w*\./, `${own}.`);
}

function print(schema: Schema, value: unknown, around: string): string {
  const type = typeName(schema, around);
  const own = packageOf(schema.definition) ?? around;
  const absent = value === undefined || value === null;
  switch (schema.type) {
    case 'object': {
      const members = value as Readonly<Record<string, unknown>> | undefined;
      // What all groups share has no package of its own: its fields are shown with its version again.
      const inside = packageOf(schema.definition) ?? '';
      const fields = [...schema.properties].map(
        ([name, property]) => `${fieldName(name)}:${printField(property, asGiven(members, name), inside)}`,
      );
      return `${type}{${fields.join(', ')}}`;
    }
    case 'list':
      if (absent) return `${type}(nil)`;
      return `${type}{${(value as readonly unknown[]).map((item) => print(schema.items, item, own)).join(', ')}}`;
    case 'map': {
      if (absent) return `${type}(nil)`;
      const entries = Object.entries(value as object).sort(([a], [b]) => compareText(a, b));
      const shown = (item: unknown) => (isAmount(schema.values) ? printWritten(item) : print(schema.values, item, own));
      return `${type}{${entries.map(([key, item]) => `${quote(key)}:${shown(item)}`).join(', ')}}`;
    }
    case 'string':
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

/** A pointer shows where it points to, not what is there. */
function printField({ schema, presence }: Property, value: unknown, around: string): string {
  const isPointer = presence?.endsWith('Null') && schema.type !== 'list' && schema.type !== 'map';
  if (!isPointer) return print(schema, value, around);
  return `(*${typeName(schema, around)})(${value === undefined || value === null ? 'nil' : ADDRESS})`;
}

function fieldName(name: string): string {
  const word = /^[a-z0-9]+/.exec(name)?.[0] ?? '';
  const first = INITIALISMS.has(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);
  return NAMES[name] ?? first + name.slice(word.length);
}

/** A quantity whose text was not asked for. */
function printWritten(item: unknown): string {
  const text = String(item ?? '0').trim();
  return printQuantity(text, keptText(text));
}

/** A quantity. The text is shown where somebody has asked for it already; else it is empty. */
export function printQuantity(text: string, shown = text): string {
  const { unscaled, exponent, format } = parseQuantity(text);
  const amount = `resource.int64Amount{value:${unscaled}, scale:${exponent}}`;
  return `resource.Quantity{i:${amount}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quote(shown)}, Format:${quote(format)}}`;
}

/** The text where reading finds at once that it is as the server would write it; not all that are so are found. */
function keptText(text: string): string {
  const { exponent, format } = parseQuantity(text);
  const [, whole = '', fraction = ''] = /^[+-]?0*(\d*)(?:\.(\d*))?/.exec(text) ?? [];
  const digits = (whole || '0') + fraction;
  const isKept =
    format === 'BinarySI'
      ? fraction === '' && Number(whole) % 8 !== 0
      : exponent % 3 === 0 && !digits.startsWith('0') && !digits.endsWith('000');
  return isKept ? text : '';
}
