import type { Node, Pair, ParsedNode, Scalar, YAMLMap } from 'yaml';
import { DecodeError } from '../../json/decode-error.js';
import { printGoValue } from '../../json/print-go.js';
import type { JsonValue } from '../../json/value.js';
import { canonicalBase64, decodeBase64 } from '../../values/base64.js';
import { quote } from '../../values/quote.js';
import { decodeUtf8 } from '../../values/utf8.js';
import type { ParsedJson } from '../json/decode.js';
import { MAX_STRICT_ERRORS } from '../json/keys.js';
import { formatNumber, type ResolvedScalar, resolvePlain } from './scalar.js';
import { REFUSED_ESCAPE, SyntaxFault } from './syntax-fault.js';

type Yaml = typeof import('yaml');

/**
 * Converts a parsed YAML node to JSON.
 * @param text the YAML text
 * @param lineOf returns the line, from 1, of a position in the text
 * @throws DecodeError for aliases that multiply too much or contain themselves, for keys that are not scalars, and for numbers that JSON
 * cannot represent
 * @throws SyntaxFault for an escape that upstream's parser does not know
 */
export function convertNode(
  yaml: Yaml,
  root: ParsedNode | null,
  text: string,
  lineOf: (offset: number) => number,
): ParsedJson {
  const converter = new Converter(yaml, text, lineOf);
  const value = converter.convert(root);
  return { value, duplicates: converter.duplicates };
}

/** Returns an object with its members sorted by name; `__proto__` is an ordinary name. */
function sortedObject(members: ReadonlyMap<string, JsonValue>): JsonValue {
  return Object.fromEntries([...members.keys()].sort().map((name) => [name, members.get(name) ?? null]));
}

class Converter {
  readonly duplicates: string[] = [];
  readonly #yaml: Yaml;
  readonly #text: string;
  readonly #lineOf: (offset: number) => number;
  readonly #anchors = new Map<string, Node>();
  /** Anchored nodes that are being converted. An alias to one of these nodes would make the node contain itself. */
  readonly #open = new Set<Node>();
  #nodes = 0;
  #aliasedNodes = 0;
  #aliasDepth = 0;

  constructor(yaml: Yaml, text: string, lineOf: (offset: number) => number) {
    this.#yaml = yaml;
    this.#text = text;
    this.#lineOf = lineOf;
  }

  convert(node: unknown): JsonValue {
    this.#count();
    const { isAlias, isMap, isSeq, isScalar } = this.#yaml;
    if (isAlias(node)) return this.#followAlias(node.source, (target) => this.convert(target));
    if (isScalar(node)) {
      this.#remember(node);
      return assertFinite(scalarValue(node, this.#text));
    }
    if (isSeq(node)) {
      this.#remember(node);
      return this.#within(node, () => node.items.map((item) => this.convert(item)));
    }
    if (isMap(node)) {
      this.#remember(node);
      return this.#within(node, () => {
        const members = new Map<string, JsonValue>();
        this.#addMembers(node, members);
        return sortedObject(members);
      });
    }
    return null;
  }

  #addMembers(map: YAMLMap, members: Map<string, JsonValue>): void {
    for (const pair of map.items) {
      if (this.#isMerge(pair)) {
        this.#merge(pair.value, members);
        continue;
      }
      const key = this.#keyOf(pair.key);
      const value = this.convert(pair.value);
      if (key === undefined) {
        const printed = value === null ? '<nil>' : printYamlValue(value);
        throw new DecodeError(`unsupported map key of type: %!s(<nil>), key: <nil>, value: ${printed}`);
      }
      if (members.has(key.name) && this.duplicates.length < MAX_STRICT_ERRORS)
        this.duplicates.push(`line ${this.#lineOfPair(pair)}: key ${key.printed} already set in map`);
      members.set(key.name, value);
    }
  }

  #isMerge(pair: Pair): boolean {
    return (
      this.#yaml.isScalar(pair.key) &&
      pair.key.type === 'PLAIN' &&
      pair.key.value === '<<' &&
      pair.key.tag === undefined
    );
  }

  #merge(source: unknown, members: Map<string, JsonValue>): void {
    this.#count();
    const { isAlias, isMap, isSeq } = this.#yaml;
    if (isAlias(source)) this.#followAlias(source.source, (target) => this.#mergeMap(target, members));
    else if (isMap(source)) this.#mergeMap(source, members);
    else if (isSeq(source)) {
      // The maps are merged in reverse order, because the first map takes precedence.
      for (const item of [...source.items].reverse()) {
        if (isAlias(item)) this.#followAlias(item.source, (target) => this.#mergeMap(target, members));
        else this.#mergeMap(item, members);
      }
    } else throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
  }

  #mergeMap(source: unknown, members: Map<string, JsonValue>): void {
    if (!this.#yaml.isMap(source))
      throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
    this.#remember(source);
    this.#within(source, () => this.#addMembers(source, members));
  }

  /** Returns the name of a member, and the name as messages print it; undefined for null, which cannot be a name. */
  #keyOf(node: unknown): { readonly name: string; readonly printed: string } | undefined {
    this.#count();
    const { isAlias, isScalar } = this.#yaml;
    if (isAlias(node)) return this.#followAlias(node.source, (target) => this.#keyOf(target));
    if (node === null || node === undefined) return undefined;
    if (!isScalar(node)) throw new DecodeError(`yaml: invalid map key: ${printYamlValue(this.convert(node))}`);
    this.#remember(node);
    const value = scalarValue(node, this.#text);
    if (value === null) return undefined;
    if (typeof value === 'string') return { name: value, printed: quote(value) };
    const name = typeof value === 'number' ? formatNumber(value) : String(value);
    return { name, printed: name };
  }

  /** Returns the line of a duplicate key: the line on which its later value begins. */
  #lineOfPair(pair: Pair): number {
    const at = [pair.value, pair.key].find((node) => this.#yaml.isNode(node) && node.range);
    return this.#yaml.isNode(at) && at.range ? this.#lineOf(at.range[0]) : 0;
  }

  #remember(node: Scalar | Node): void {
    const anchor = 'anchor' in node ? node.anchor : undefined;
    if (anchor !== undefined && this.#aliasDepth === 0) this.#anchors.set(anchor, node);
  }

  #within<T>(node: Node, make: () => T): T {
    this.#open.add(node);
    const converted = make();
    this.#open.delete(node);
    return converted;
  }

  #followAlias<T>(name: string, use: (target: Node) => T): T {
    const target = this.#anchors.get(name);
    if (target === undefined) throw new DecodeError(`yaml: unknown anchor '${name}' referenced`);
    if (this.#open.has(target)) throw new DecodeError(`yaml: anchor '${name}' value contains itself`);
    this.#aliasDepth++;
    const converted = use(target);
    this.#aliasDepth--;
    return converted;
  }

  /** Counts nodes and limits the share of nodes that aliases repeat. The limit is stricter for large documents than for small ones. */
  #count(): void {
    this.#nodes++;
    if (this.#aliasDepth > 0) this.#aliasedNodes++;
    if (
      this.#aliasedNodes > 100 &&
      this.#nodes > 1000 &&
      this.#aliasedNodes / this.#nodes > allowedAliasRatio(this.#nodes)
    )
      throw new DecodeError('yaml: document contains excessive aliasing');
  }
}

const ALIAS_FREE_NODES = 400_000;
const ALIAS_SCARCE_NODES = 4_000_000;

function allowedAliasRatio(nodes: number): number {
  if (nodes <= ALIAS_FREE_NODES) return 0.99;
  if (nodes >= ALIAS_SCARCE_NODES) return 0.1;
  return 0.99 - 0.89 * ((nodes - ALIAS_FREE_NODES) / (ALIAS_SCARCE_NODES - ALIAS_FREE_NODES));
}

const printYamlValue = (value: JsonValue): string => printGoValue(value, 'interface {}');

/** Returns whether a block scalar ends with a text whose last line has no line feed. The YAML package adds one, upstream's parser does not. */
function endsInMiddle({ type, range }: Scalar, text: string): boolean {
  return (type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED') && range?.[1] === text.length && !text.endsWith('\n');
}

/** @throws SyntaxFault for a double-quoted scalar with a {@link REFUSED_ESCAPE} */
function assertKnownEscapes({ range }: Scalar, text: string): void {
  const [start, end] = range ?? [0, 0];
  const refused = REFUSED_ESCAPE.exec(text.slice(start, end));
  if (refused === null) return;
  const message = refused[0].endsWith('/') ? 'Invalid escape sequence \\/' : 'Surrogate in an escape';
  const at = start + refused.index;
  throw new SyntaxFault({ code: 'BAD_DQ_ESCAPE', message, pos: [at, at + refused[0].length] });
}

const CORE_TAG = 'tag:yaml.org,2002:';

function scalarValue(node: Scalar, source: string): JsonValue {
  // The parser uses the failsafe schema, in which every scalar is a string.
  const text = endsInMiddle(node, source) ? String(node.value).replace(/\n$/, '') : String(node.value ?? '');
  if (node.type === 'QUOTE_DOUBLE') assertKnownEscapes(node, source);
  const { tag } = node;
  if (tag === undefined) return node.type === 'PLAIN' ? resolvedValue(text, resolvePlain(text)) : text;
  if (!tag.startsWith(CORE_TAG)) return text;
  const type = tag.slice(CORE_TAG.length);
  if (type === 'binary') return decodeBinary(text);
  const resolved = resolvePlain(text);
  if (type === 'float' && resolved.type === 'int') return resolved.value;
  if (!['null', 'bool', 'int', 'float', 'timestamp'].includes(type)) return text;
  if (type === resolved.type) return resolvedValue(text, resolved);
  throw new DecodeError(
    `yaml: cannot decode !!${resolved.type === 'string' ? 'str' : resolved.type} \`${text}\` as a !!${type}`,
  );
}

function resolvedValue(text: string, resolved: ResolvedScalar): JsonValue {
  switch (resolved.type) {
    case 'null':
      return null;
    case 'string':
    case 'timestamp':
      return text;
    case 'bool':
      return resolved.value;
    default:
      return resolved.value;
  }
}

/** Infinity and NaN may be names, but JSON has no such values. */
function assertFinite(value: JsonValue): JsonValue {
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  throw new DecodeError(`json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`);
}

function decodeBinary(text: string): string {
  const canonical = canonicalBase64(text);
  if (typeof canonical === 'number') throw new DecodeError('yaml: !!binary value contains invalid base64 data');
  return decodeUtf8(decodeBase64(canonical));
}
