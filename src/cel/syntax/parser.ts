import type { Ast } from './ast.js';
import { NodeBuilder } from './builder.js';
import { ExpressionParser } from './expressions.js';
import { lex } from './lexer.js';
import { type Macro, macroKey, STANDARD_MACROS } from './macros.js';
import { codePoints, ExpressionError, type SourceError } from './source-error.js';
import { SyntaxStop, TokenStream } from './token-stream.js';

export interface ParseOptions {
  /** The macros that are expanded. Default: the macros of the language (`STANDARD_MACROS`). */
  readonly macros?: readonly Macro[];
  /** Whether to allow `a.?b`, `a[?b]`, `[?a]`, `{?k: v}` and `T{?f: v}`. Default: false. */
  readonly optionalSyntax?: boolean;
  /** The maximum number of code points in a source. Default: 100,000. */
  readonly maxSize?: number;
  /** The maximum number of nesting levels. Default: 250. */
  readonly maxDepth?: number;
}

/**
 * Parses an expression.
 * @throws {ExpressionError} with all errors. Its message lists them in the order of their positions.
 */
export function parse(source: string, options: ParseOptions = {}): Ast {
  const { macros = STANDARD_MACROS, optionalSyntax = false, maxSize = 100_000, maxDepth = 250 } = options;
  const size = source.length > maxSize ? codePoints(source) : 0;
  if (size > maxSize) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${maxSize}`;
    throw new ExpressionError('', [{ offset: -1, message }]);
  }
  const { tokens, errors: lexical } = lex(source);
  const errors: SourceError[] = [...lexical];
  const stop = (message: string) => (): never => {
    errors.push({ offset: -1, message });
    throw new SyntaxStop();
  };
  const build = new NodeBuilder(maxDepth, stop('max recursion depth exceeded'));
  const stream = new TokenStream(source, tokens, errors);
  const parser = new ExpressionParser(stream, build, errors, {
    macros: tableOf(macros),
    optionalSyntax,
    maxDepth,
    tooDeep: stop(`expression recursion limit exceeded: ${maxDepth}`),
  });
  try {
    const root = parser.expression();
    stream.expect('<EOF>');
    if (errors.length === 0) return Object.freeze({ source, root, nextId: build.nextId });
  } catch (error) {
    if (!(error instanceof SyntaxStop)) throw error;
  }
  throw new ExpressionError(source, errors);
}

const tables = new WeakMap<readonly Macro[], ReadonlyMap<string, Macro>>();

/** Returns the macros by `macroKey`. A later macro replaces an earlier one with the same key. */
function tableOf(macros: readonly Macro[]): ReadonlyMap<string, Macro> {
  let table = tables.get(macros);
  if (table === undefined) {
    table = new Map(macros.map((macro) => [macroKey(macro.name, macro.receiver, macro.arguments), macro]));
    tables.set(macros, table);
  }
  return table;
}
