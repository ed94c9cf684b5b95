import type { Lexer } from 'yaml';
import { DecodeError } from '../../json/decode-error.js';
import { SyntaxFault } from './syntax-fault.js';
import { TabRule } from './tab-rule.js';

export type Yaml = typeof import('yaml');

/** The maximum depth of nested brackets, and the maximum number of dashes on one line. */
const MAX_OPEN = 1000;

/** The lexemes of a YAML text as upstream's parser reads them, as far as it accepts their tabs. */
export class Lexemes implements Iterable<string> {
  /** The error about the first tab that is not accepted. No lexemes follow it. */
  tabFault: SyntaxFault | undefined;
  readonly #yaml: Yaml;
  readonly #text: string;
  readonly #max: number;

  /** @param max the maximum number of lexemes */
  constructor(yaml: Yaml, text: string, max: number) {
    this.#yaml = yaml;
    this.#text = text;
    this.#max = max;
  }

  /** @throws DecodeError if the number or nesting of the lexemes would take the parser too much time or stack */
  *[Symbol.iterator](): Generator<string, void, void> {
    const { tokenType } = this.#yaml.CST;
    const tabs = new TabRule();
    let count = 0;
    let flow = 0;
    let dashes = 0;
    for (const lexeme of lenientLexer(this.#yaml).lex(this.#text)) {
      if (++count > this.#max)
        throw new DecodeError(`yaml: document has more than ${this.#max} tokens; send it as JSON`);
      const type = tokenType(lexeme);
      if (type === 'flow-map-start' || type === 'flow-seq-start') flow++;
      else if (type === 'flow-map-end' || type === 'flow-seq-end') flow--;
      else if (type === 'seq-item-ind' || type === 'explicit-key-ind') dashes++;
      else if (type === 'newline') dashes = 0;
      if (flow > MAX_OPEN || dashes > MAX_OPEN) throw new DecodeError(`yaml: exceeded max depth of ${MAX_OPEN}`);
      const problem = tabs.check(type, lexeme);
      if (problem !== undefined) {
        this.tabFault = new SyntaxFault(problem);
        return;
      }
      yield lexeme;
    }
  }
}

/**
 * Returns a lexer that reads quotes and brackets as upstream's does. It ignores the indentation of lines within them, and within brackets it
 * follows the rules of YAML 1.1 for scalars and indicators.
 */
function lenientLexer(yaml: Yaml): Lexer {
  const lexer = new yaml.Lexer();
  for (const name of ['parseQuotedScalar', 'parseFlowCollection'] as const) {
    const parse = lexer[name];
    lexer[name] = function* () {
      const indent = lexer['indentNext'];
      lexer['indentNext'] = 0;
      const next = yield* parse.call(lexer);
      lexer['indentNext'] = indent;
      return next;
    };
  }
  const [parsePlainScalar, pushIndicators] = [lexer['parsePlainScalar'], lexer['pushIndicators']];
  lexer['parsePlainScalar'] = function* () {
    if (lexer['flowLevel'] === 0) return yield* parsePlainScalar.call(lexer);
    yield yaml.CST.SCALAR;
    yield* lexer['pushToIndex'](endOfFlowScalar(lexer['buffer'], lexer['pos']), true);
    return 'flow';
  };
  lexer['pushIndicators'] = function* () {
    return yield* lexer['flowLevel'] === 0 ? pushIndicators.call(lexer) : pushFlowIndicators(lexer);
  };
  return lexer;
}

/** Matches the characters of a plain scalar in brackets up to the next white space. A colon ends it only before white space. */
const FLOW_WORD = /(?:[^\s,?[\]{}:]|:(?=\S))*/y;
/** Matches white space within a plain scalar in brackets. A comment or a document mark cannot continue the scalar. */
const FLOW_SPACE = /\s*(?!#|(?<=\n)(?:---|\.\.\.)(?:\s|$))/y;

function endOfFlowScalar(text: string, start: number): number {
  let end = start;
  for (let at = start; ; at = endOfMatch(FLOW_SPACE, text, end)) {
    const wordEnd = endOfMatch(FLOW_WORD, text, at);
    if (wordEnd === at) return end;
    end = wordEnd;
  }
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Pushes the indicators, tags and anchors before a node in brackets. There `?` and `:` need no white space behind them. */
function* pushFlowIndicators(lexer: Lexer): Generator<string, number, void> {
  for (let count = 0; ; count += yield* lexer['pushSpaces'](true)) {
    const character = lexer['charAt'](0);
    if (character === '!') count += yield* lexer['pushTag']();
    else if (character === '&') count += yield* lexer['pushUntil']((next: string) => !next || /[\s,[\]{}]/.test(next));
    else if (character === '?' || character === ':' || (character === '-' && !/\S/.test(lexer['charAt'](1) ?? '')))
      count += yield* lexer['pushCount'](1);
    else return count;
  }
}
