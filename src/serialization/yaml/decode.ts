import type { CST, Document, LineCounter, ParsedNode, Parser } from 'yaml';
import { DecodeError } from '../../json/decode-error.js';
import { isJsonObject, type JsonValue } from '../../json/value.js';
import { setMember } from '../../schema/json-objects.js';
import { sortTexts } from '../../values/sorted.js';
import { decodeUtf8, isUtf8 } from '../../values/utf8.js';
import { type ParsedJson, parseJson, parseLargeJson } from '../json/decode.js';
import { convertNode } from './convert.js';
import { Lexemes, type Yaml } from './lexemes.js';
import { readerFault } from './reader-fault.js';
import { REFUSED_ESCAPE, SyntaxFault } from './syntax-fault.js';

/** The maximum size in bytes of a YAML body that is not JSON. YAML is slow to parse (a second or two per MiB). */
export const MAX_YAML_BYTES = 1024 * 1024;
/**
 * The maximum number of tokens of a document, about 28,000 lines of `key: value`. It is limited because each token takes some microseconds.
 */
const MAX_YAML_TOKENS = 200_000;
const BACKSLASH = 0x5c;
const TAB = 0x09;
const FIRST_BYTE_OF_NEL = 0xc2;

export interface DecodeYamlOptions {
  /** Whether parsing looks for duplicate keys. Default: false. */
  readonly duplicates?: boolean;
  /** The maximum size in bytes. Default: {@link MAX_YAML_BYTES}. */
  readonly maxBytes?: number;
  /** The maximum number of tokens. Default: {@link MAX_YAML_TOKENS}. */
  readonly maxTokens?: number;
  /** Called every few milliseconds while a long document is parsed, so that the process can do other work. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/**
 * Parses the first document of a YAML stream as JSON (spec 9.7): scalars follow YAML 1.1, keys are sorted, and aliases and merge keys are
 * resolved. An empty stream is null. The parser is loaded on first use; documents that are JSON do not need it.
 * @returns the value; `duplicates` are whole messages, `line 3: key "data" already set in map`
 * @throws DecodeError when the bytes are not YAML or have no JSON form, with upstream's messages
 */
export async function decodeYaml(bytes: Uint8Array, options: DecodeYamlOptions = {}): Promise<ParsedJson> {
  const asJson = await readAsJson(bytes, options);
  if (asJson !== undefined) return { value: asJson, duplicates: [] };
  const maxBytes = options.maxBytes ?? MAX_YAML_BYTES;
  if (bytes.length > maxBytes)
    throw new DecodeError(`yaml: document is longer than ${maxBytes} bytes; send it as JSON`);
  // The package does not know that a lone CR and NEL end a line in YAML 1.1.
  const text = decodeUtf8(bytes)
    .replace(/^\ufeff/, '')
    .replace(/\r(?!\n)|\x85/g, '\n');
  if (!isUtf8(bytes) || /[^\t\n\r\x20-\x7e\x85\xa0-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) {
    const fault = readerFault(bytes);
    if (fault !== undefined) throw new DecodeError(`yaml: ${fault}`);
  }
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  try {
    const document = await firstDocument(yaml, text, lines, options);
    if (document === undefined) return { value: null, duplicates: [] };
    const [problem] = document.errors;
    if (problem !== undefined) throw new SyntaxFault(problem);
    await options.pause?.();
    return convertNode(yaml, document.contents, text, (offset) => lines.linePos(offset).line);
  } catch (error) {
    if (error instanceof SyntaxFault) throw new DecodeError(`yaml: ${error.describe(text)}`);
    if (error instanceof RangeError) throw new DecodeError('yaml: exceeded max depth of 10000');
    throw error;
  }
}

/**
 * Parses a document as JSON; returns undefined if it is not JSON. Parsing JSON is a hundred times faster than parsing YAML, and most YAML
 * bodies that programs send are JSON.
 */
async function readAsJson(
  bytes: Uint8Array,
  { duplicates = false, pause }: DecodeYamlOptions,
): Promise<JsonValue | undefined> {
  let start = 0;
  while (start < bytes.length && (bytes[start] ?? 0) <= 0x20 && bytes[start] !== TAB) start++;
  if (bytes[start] !== 0x7b || mayDifferInYaml(bytes)) return undefined;
  try {
    const parsed = pause ? await parseLargeJson(bytes, { duplicates, pause }) : parseJson(bytes, { duplicates });
    await pause?.();
    return parsed.duplicates.length === 0 ? sortKeys(parsed.value) : undefined;
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Sorts the members of all objects in a value by name. */
function sortKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: Record<string, JsonValue> = {};
  for (const name of sortTexts(Object.keys(value))) setMember(sorted, name, sortKeys(value[name] ?? null));
  return sorted;
}

/** Whether strings of a JSON text may contain what YAML refuses, or reads as a line break. */
const mayDifferInYaml = (bytes: Uint8Array): boolean =>
  (bytes.includes(BACKSLASH) && REFUSED_ESCAPE.test(decodeUtf8(bytes))) ||
  (bytes.includes(FIRST_BYTE_OF_NEL) && decodeUtf8(bytes).includes('\x85'));

/** The number of lexemes between two pauses. Parsing that many takes a few milliseconds. */
const LEXEMES_AT_ONCE = 10_000;

async function firstDocument(
  yaml: Yaml,
  text: string,
  lines: LineCounter,
  { maxTokens = MAX_YAML_TOKENS, pause }: DecodeYamlOptions,
): Promise<Document.Parsed<ParsedNode> | undefined> {
  const parser = new yaml.Parser(lines.addNewLine);
  const composer = new yaml.Composer<ParsedNode>({
    // Scalars stay strings here; `resolvePlain` determines their types.
    schema: 'failsafe',
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: false,
    strict: true,
    prettyErrors: false,
    lineCounter: lines,
    logLevel: 'silent',
  });
  // Only the first error is reported. Without this handler, the composer would create an error object with a stack for each error, however
  // many there are.
  let fault: SyntaxFault | undefined;
  composer['onError'] = (source: Place, code: string, message: string, warning?: boolean) => {
    // Upstream refuses directives that it does not know; the package only warns of them.
    if (warning === true && code !== 'BAD_DIRECTIVE') return;
    // Upstream reads a comment directly behind a quoted string or a bracket.
    if (code === 'MISSING_CHAR' && message.startsWith('Comments must be separated')) return;
    // The composer reports an error thrown inside a collection once more as another error, so only the first one is kept.
    fault ??= new SyntaxFault({ code, message, pos: positionOf(source) });
    throw fault;
  };
  lines.addNewLine(0);
  const lexemes = new Lexemes(yaml, text, maxTokens);
  let documents = 0;
  let read = 0;
  let isWhole = false;
  for (const token of tokensOf(parser, lexemes)) {
    if (token === undefined) {
      if (pause && ++read % LEXEMES_AT_ONCE === 0) await pause();
      continue;
    }
    if (token.type === 'document' && ++documents > 1) break;
    if (token.type === 'directive') assertVersion(token);
    isWhole = token.type === 'document' && endsEarly(token);
    for (const document of composer.next(token)) return asParsed(document);
    if (isWhole) break;
  }
  let first: Document.Parsed<ParsedNode> | undefined;
  for (const document of composer.end(false, text.length)) first ??= asParsed(document);
  if (lexemes.tabFault && !isWhole) throw lexemes.tabFault;
  return first;
}

/** @throws SyntaxFault for a `%YAML` directive with another version than 1.1, the only one that upstream reads */
function assertVersion({ source, offset }: CST.Directive): void {
  const [name, version] = source.split(/[ \t]+/);
  if (name !== '%YAML' || version === '1.1') return;
  throw new SyntaxFault({ code: 'VERSION', message: 'Unsupported YAML version', pos: [offset, offset + 1] });
}

/**
 * Returns whether the value of a document is a quoted or plain scalar, or a list or map in brackets. Upstream's parser stops behind such a
 * value, so everything after it is removed from the document.
 */
function endsEarly(document: CST.Document): boolean {
  const { value } = document;
  if (value?.type !== 'flow-collection' && !isFlowScalar(value)) return false;
  if (value.type === 'flow-collection') value.end.splice(1);
  else delete value.end;
  delete document.end;
  return true;
}

const isFlowScalar = (token: CST.Token | undefined): token is CST.FlowScalar =>
  token?.type === 'scalar' || token?.type === 'single-quoted-scalar' || token?.type === 'double-quoted-scalar';

/** The forms in which the composer reports the position of an error. */
type Place = number | readonly [number, number, ...number[]] | { readonly offset: number; readonly source?: string };

function positionOf(source: Place): readonly [number, number] {
  if (typeof source === 'number') return [source, source + 1];
  if ('offset' in source) return [source.offset, source.offset + (source.source?.length ?? 1)];
  return [source[0], source[1]];
}

/** Yields the tokens of a document, and undefined after each lexeme, so that the caller can pause. */
function* tokensOf(parser: Parser, lexemes: Lexemes): Generator<CST.Token | undefined, void, void> {
  for (const lexeme of lexemes) {
    yield* parser.next(lexeme);
    yield undefined;
  }
  yield* parser.end();
}

// The option to force empty documents is not set, so the composer yields only parsed documents and the cast is safe.
const asParsed = (document: Document) => document as Document.Parsed<ParsedNode>;
