/** Where a tab is not accepted, and why: an error code of this folder. */
export interface TabProblem {
  readonly code: 'TAB_AS_INDENT' | 'TAB_IN_SCALAR' | 'TAB_IN_BLOCK';
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** Lexemes without text. After `scalar`, the next lexeme is the text of a scalar. */
const MARKS: ReadonlySet<string> = new Set(['doc-mode', 'flow-error-end', 'scalar']);

/**
 * Finds the tabs that upstream's parser refuses. Outside of brackets, a tab must not come before the first token of a line, nor after the
 * indicators `-`, `?` and the `:` of such a key. After a plain scalar, which may continue on the next line, it must not be indented less
 * than the scalar.
 */
export class TabRule {
  #offset = 0;
  #lineStart = 0;
  #flow = 0;
  /** Whether a list item or a key may begin here. */
  #mayBegin = true;
  /** Whether only white space has followed a plain scalar. */
  #isAfterPlain = false;
  /** Whether the document has ended. Upstream does not read on. */
  #hasEnded = false;
  /** The kind of scalar whose text is the next lexeme; undefined if the next lexeme is not text. */
  #textOf: 'plain' | 'block' | undefined;
  #hasBlockHeader = false;
  /** The column of the first token of the current node; -1 before it. */
  #nodeColumn = -1;
  /** The columns of the open lists and maps. */
  readonly #columns: number[] = [];

  /** Returns why the lexeme is refused. It must be called with each lexeme, in order. */
  check(type: string | null, lexeme: string): TabProblem | undefined {
    let problem: TabProblem | undefined;
    if (this.#textOf !== undefined) problem = this.#read(this.#textOf, lexeme);
    else if (type !== null && MARKS.has(type)) {
      if (type === 'scalar') this.#textOf = this.#hasBlockHeader ? 'block' : 'plain';
      return undefined;
    } else if (type === 'space') problem = this.#checkSpace(lexeme.indexOf('\t'));
    else this.#follow(type);
    this.#offset += lexeme.length;
    const end = lexeme.lastIndexOf('\n');
    if (end >= 0) this.#lineStart = this.#offset - lexeme.length + end + 1;
    return problem;
  }

  #checkSpace(tab: number): TabProblem | undefined {
    if (tab < 0 || this.#flow > 0 || !this.#mayBegin || this.#hasEnded) return undefined;
    const at = this.#offset + tab;
    if (!this.#isAfterPlain) return problemAt('TAB_AS_INDENT', at);
    return at - this.#lineStart > (this.#columns.at(-1) ?? -1) ? undefined : problemAt('TAB_IN_SCALAR', at);
  }

  #read(what: 'plain' | 'block', lexeme: string): TabProblem | undefined {
    this.#textOf = undefined;
    this.#hasBlockHeader = false;
    this.#begin();
    this.#isAfterPlain = what === 'plain' && this.#flow === 0;
    if (what === 'plain') return undefined;
    if (lexeme.endsWith('\n')) this.#startLine();
    const tab = tabInIndentation(lexeme);
    return tab === undefined ? undefined : problemAt('TAB_IN_BLOCK', this.#offset + tab);
  }

  #follow(type: string | null): void {
    const wasAfterPlain = this.#isAfterPlain;
    this.#isAfterPlain = false;
    switch (type) {
      case 'newline':
        this.#isAfterPlain = wasAfterPlain;
        this.#startLine();
        break;
      case 'comment':
        break;
      case 'doc-start':
        this.#columns.length = 0;
        this.#mayBegin = false;
        break;
      case 'doc-end':
        this.#hasEnded = true;
        break;
      case 'seq-item-ind':
      case 'explicit-key-ind':
        this.#open(this.#offset - this.#lineStart);
        this.#mayBegin = true;
        break;
      case 'map-value-ind':
        if (this.#flow > 0) break;
        // Without a key before it on the line, the indicator belongs to a key that began with `?`.
        this.#mayBegin = this.#nodeColumn < 0;
        this.#open(this.#mayBegin ? this.#offset - this.#lineStart : this.#nodeColumn);
        break;
      case 'flow-map-start':
      case 'flow-seq-start':
        this.#begin();
        this.#flow++;
        break;
      case 'flow-map-end':
      case 'flow-seq-end':
        this.#flow = Math.max(this.#flow - 1, 0);
        break;
      case 'block-scalar-header':
        this.#hasBlockHeader = true;
        this.#begin();
        break;
      default:
        this.#begin();
    }
  }

  #startLine(): void {
    if (this.#flow > 0) return;
    this.#mayBegin = true;
    this.#nodeColumn = -1;
  }

  /** Notes the first token of a node. */
  #begin(): void {
    if (this.#flow > 0) return;
    this.#mayBegin = false;
    if (this.#nodeColumn >= 0) return;
    this.#nodeColumn = this.#offset - this.#lineStart;
    this.#closeTo(this.#nodeColumn);
  }

  /** Opens a list or map, unless one is open in this column. */
  #open(column: number): void {
    this.#closeTo(column);
    if ((this.#columns.at(-1) ?? -1) < column) this.#columns.push(column);
    this.#nodeColumn = -1;
  }

  #closeTo(column: number): void {
    while ((this.#columns.at(-1) ?? -1) > column) this.#columns.pop();
  }
}

const problemAt = (code: TabProblem['code'], at: number): TabProblem => ({
  code,
  message: 'Tabs are not allowed as indentation',
  pos: [at, at + 1],
});

/** Returns the position of the first tab that is indented less than the first line of a block scalar, or that begins this line. */
function tabInIndentation(block: string): number | undefined {
  let indent = Number.POSITIVE_INFINITY;
  for (const line of block.matchAll(/^( *)([^ \n])/gm)) {
    const [, { length: spaces } = '', character] = line;
    if (character === '\t' && spaces < indent) return line.index + spaces;
    indent = Math.min(indent, spaces);
  }
  return undefined;
}
