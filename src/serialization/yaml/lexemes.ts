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
 * Returns a lexer that ignores the indentation of lines within quotes and brackets, as upstream's does. The package's own lexer requires
 * that these lines are indented more than the list or map that contains them.
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
  return lexer;
}
