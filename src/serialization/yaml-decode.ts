import type { CST, Document, Lexer, LineCounter, ParsedNode, Parser } from 'yaml';
import type { JsonValue } from '../meta/json.js';
import { DecodeError, type ParsedJson, parseJson } from './json-decode.js';
import { decodeUtf8, isUtf8 } from './utf8.js';
import { convertNode, sortKeys } from './yaml-convert.js';
import { yamlSyntaxMessage } from './yaml-errors.js';

/** YAML is slow to read (a second or two per MiB): longer bodies are refused unless they are JSON. */
export const MAX_YAML_BYTES = 1024 * 1024;
/** Brackets and dashes that may be open at once. */
const MAX_OPEN = 1000;

export interface DecodeYamlOptions {
  /** Whether to look for duplicate keys. Default false. */
  readonly duplicates?: boolean;
  /** Default {@link MAX_YAML_BYTES}. */
  readonly maxBytes?: number;
  /** Called every few milliseconds of a long text; lets the process do other work. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/**
 * Reads the first document of a YAML text as JSON (gap file 4.4): scalars as YAML 1.1 has them, keys sorted, aliases and
 * merge keys resolved. An empty text is null. Loads its parser when first used; JSON is read without it.
 * @returns the value; `duplicates` as whole texts, `line 3: key "data" already set in map`
 * @throws DecodeError for what is no YAML or has no JSON form, with the wire's texts
 */
export async function decodeYaml(bytes: Uint8Array, options: DecodeYamlOptions = {}): Promise<ParsedJson> {
  const asJson = readAsJson(bytes, options.duplicates === true);
  if (asJson !== undefined) return { value: asJson, duplicates: [] };
  const maxBytes = options.maxBytes ?? MAX_YAML_BYTES;
  if (bytes.length > maxBytes)
    throw new DecodeError(`yaml: document is longer than ${maxBytes} bytes; send it as JSON`);
  if (!isUtf8(bytes)) throw new DecodeError('yaml: invalid leading UTF-8 octet');
  const text = decodeUtf8(bytes).replace(/^\ufeff/, '');
  if (/[^\t\n\r\x20-\x7e\x85\xa0-\ufffd\u{10000}-\u{10ffff}]/u.test(text))
    throw new DecodeError('yaml: control characters are not allowed');
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  try {
    const document = await firstDocument(yaml, text, lines, options.pause);
    if (document === undefined) return { value: null, duplicates: [] };
    const [problem] = document.errors;
    if (problem !== undefined) throw new DecodeError(`yaml: ${yamlSyntaxMessage(problem, text)}`);
    await options.pause?.();
    return convertNode(yaml, document.contents, (offset) => lines.linePos(offset).line);
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError('yaml: exceeded max depth of 10000');
    throw error;
  }
}

/** Most YAML bodies that programs send are JSON, which is read a hundred times faster. */
function readAsJson(bytes: Uint8Array, duplicates: boolean): JsonValue | undefined {
  let start = 0;
  while (start < bytes.length && (bytes[start] ?? 0) <= 0x20) start++;
  if (bytes[start] !== 0x7b) return undefined;
  try {
    const parsed = parseJson(bytes, { duplicates });
    return parsed.duplicates.length === 0 ? sortKeys(parsed.value) : undefined;
  } catch (error) {
    if (error instanceof DecodeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

type Yaml = typeof import('yaml');

/** Lexemes between two pauses: a few milliseconds. */
const LEXEMES_AT_ONCE = 10_000;

async function firstDocument(
  yaml: Yaml,
  text: string,
  lines: LineCounter,
  pause: DecodeYamlOptions['pause'],
): Promise<Document.Parsed<ParsedNode> | undefined> {
  const parser = new yaml.Parser(lines.addNewLine);
  const composer = new yaml.Composer<ParsedNode>({
    // Scalars stay texts here: what they mean is decided by rules of our own.
    schema: 'failsafe',
    resolveKnownTags: false,
    merge: false,
    uniqueKeys: false,
    strict: true,
    prettyErrors: false,
    lineCounter: lines,
    logLevel: 'silent',
  });
  lines.addNewLine(0);
  let documents = 0;
  let lexemes = 0;
  for (const token of tokensOf(yaml, parser, text)) {
    if (token === undefined) {
      if (pause && ++lexemes % LEXEMES_AT_ONCE === 0) await pause();
      continue;
    }
    if (token.type === 'document' && ++documents > 1) break;
    for (const document of composer.next(token)) return parsed(document);
  }
  for (const document of composer.end(false, text.length)) return parsed(document);
  return undefined;
}

/** The tokens of a text; undefined after each lexeme, so that the caller can wait between them. */
function* tokensOf(yaml: Yaml, parser: Parser, text: string): Generator<CST.Token | undefined, void, void> {
  for (const lexeme of boundedLexemes(yaml, new yaml.Lexer().lex(text))) {
    yield* parser.next(lexeme);
    yield undefined;
  }
  yield* parser.end();
}

// The composer hands out parsed documents only (not those without content) when nothing is forced.
const parsed = (document: Document) => document as Document.Parsed<ParsedNode>;

/** Passes lexemes on, and refuses nesting that would cost the parser its time and its stack. */
function* boundedLexemes(yaml: Yaml, lexemes: ReturnType<Lexer['lex']>): Generator<string, void, void> {
  let flow = 0;
  let dashes = 0;
  for (const lexeme of lexemes) {
    switch (yaml.CST.tokenType(lexeme)) {
      case 'flow-map-start':
      case 'flow-seq-start':
        flow++;
        break;
      case 'flow-map-end':
      case 'flow-seq-end':
        flow--;
        break;
      case 'seq-item-ind':
      case 'explicit-key-ind':
        dashes++;
        break;
      case 'newline':
        dashes = 0;
        break;
    }
    if (flow > MAX_OPEN || dashes > MAX_OPEN) throw new DecodeError(`yaml: exceeded max depth of ${MAX_OPEN}`);
    yield lexeme;
  }
}
