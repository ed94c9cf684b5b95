import type { Ast } from './ast.js';
import { NodeBuilder } from './builder.js';
import { ExpressionParser } from './expressions.js';
import { lex } from './lexer.js';
import { type Macro, macroKey, STANDARD_MACROS } from './macros.js';
import { codePoints, ExpressionError, type SourceError } from './source-error.js';
import { syntaxErrors } from './syntax-errors.js';
import { SyntaxStop, TokenStream } from './token-stream.js';

/** The options of `parse`. */
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

/** After this number of syntax errors, upstream reports only that there are more. */
const MAX_ERRORS = 100;

/**
 * Parses an expression.
 * @throws ExpressionError with all errors. Its message lists them in the order of their positions.
 */
export function parse(source: string, options: ParseOptions = {}): Ast {
  const { macros = STANDARD_MACROS, optionalSyntax = false, maxSize = 100_000, maxDepth = 250 } = options;
  const size = source.length > maxSize ? codePoints(source) : 0;
  if (size > maxSize) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${maxSize}`;
    throw new ExpressionError('', [{ offset: -1, message }]);
  }
  const { tokens, errors: lexical, skipped } = lex(source);
  const errors: SourceError[] = [...lexical];
  const build = new NodeBuilder(maxDepth, () => {
    errors.push({ offset: -1, message: 'max recursion depth exceeded' });
    throw new SyntaxStop();
  });
  const stream = new TokenStream(source, tokens);
  const parser = new ExpressionParser(stream, build, errors, { macros: tableOf(macros), optionalSyntax, maxDepth });
  try {
    const root = parser.expression();
    stream.expect('<EOF>');
    if (errors.length === 0) return Object.freeze({ source, root, nextId: build.nextId });
  } catch (error) {
    if (!(error instanceof SyntaxStop)) throw error;
    errors.push(...syntaxErrors(source, tokens, skipped, maxDepth));
  }
  if (errors.length > MAX_ERRORS) {
    const [more] = errors.sort((left, right) => left.offset - right.offset).splice(MAX_ERRORS);
    if (more !== undefined) errors.push({ ...more, message: `Syntax error: More than ${MAX_ERRORS} syntax errors` });
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
