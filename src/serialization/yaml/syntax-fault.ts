/**
 * Matches an escape of JSON strings that the YAML package knows, but upstream's parser refuses: `\/`, or half of a surrogate pair. The
 * match includes the backslashes before the escape.
 */
export const REFUSED_ESCAPE = /(?<!\\)(?:\\\\)*\\(?:\/|u[dD][89a-fA-F])/;

/** A syntax error as the YAML package reports it, with its position. */
interface SyntaxProblem {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** Thrown at the first syntax error to end parsing. */
export class SyntaxFault extends Error {
  readonly #problem: SyntaxProblem;

  constructor(problem: SyntaxProblem) {
    super(problem.message);
    this.#problem = problem;
  }

  /** Returns upstream's message for the error (spec 9.7), without the leading `yaml: `. @param text the whole YAML text */
  describe(text: string): string {
    return yamlSyntaxMessage(this.#problem, text);
  }
}

/** Upstream's message for an error. Token errors count lines from 1 and structural errors from 0. Line 0 is omitted from the message. */
interface Wording {
  readonly when: RegExp;
  readonly text: string;
  readonly of: 'token' | 'structure';
}

const WORDINGS: readonly Wording[] = [
  { when: /^TAB_AS_INDENT|^BAD_SCALAR_START/, text: 'found character that cannot start any token', of: 'token' },
  { when: /^TAB_IN_SCALAR/, text: 'found a tab character that violates indentation', of: 'token' },
  { when: /^TAB_IN_BLOCK/, text: 'found a tab character where an indentation space is expected', of: 'token' },
  { when: /Missing closing/, text: 'found unexpected end of stream', of: 'token' },
  { when: /^BAD_DQ_ESCAPE Surrogate/, text: 'found invalid Unicode character escape code', of: 'token' },
  { when: /^BAD_DQ_ESCAPE .*\\[xuU]/, text: 'did not find expected hexdecimal number', of: 'token' },
  { when: /^BAD_DQ_ESCAPE/, text: 'found unknown escape character', of: 'token' },
  { when: /^BAD_ALIAS/, text: 'did not find expected alphabetic or numeric character', of: 'token' },
  { when: /^BLOCK_AS_IMPLICIT_KEY .* at "\?"/, text: 'mapping keys are not allowed in this context', of: 'token' },
  { when: /^BLOCK_AS_IMPLICIT_KEY/, text: 'mapping values are not allowed in this context', of: 'token' },
  { when: /^MULTILINE_IMPLICIT_KEY .* at "-"/, text: 'did not find expected key', of: 'structure' },
  { when: /^MULTILINE_IMPLICIT_KEY/, text: 'mapping values are not allowed in this context', of: 'token' },
  {
    when: /block-seq-ind on same line|directives-end marker at "-"/,
    text: 'block sequence entries are not allowed in this context',
    of: 'token',
  },
  { when: /directives-end marker/, text: 'mapping values are not allowed in this context', of: 'token' },
  { when: /Implicit map keys need/, text: "could not find expected ':'", of: 'token' },
  { when: /Block scalar header/, text: 'did not find expected comment or line break', of: 'token' },
  { when: /^TAG_RESOLVE_FAILED .*has no suffix/, text: 'did not find expected tag URI', of: 'token' },
  { when: /^TAG_RESOLVE_FAILED/, text: "did not find the expected '>'", of: 'token' },
  { when: /^VERSION/, text: 'found incompatible YAML document', of: 'token' },
  { when: /^BAD_DIRECTIVE/, text: 'found unknown directive name', of: 'token' },
  {
    when: /Sequence item without|sequence items must start/,
    text: "did not find expected '-' indicator",
    of: 'structure',
  },
  { when: /Unexpected , in flow/, text: 'did not find expected node content', of: 'structure' },
  { when: /flow-(?:map|seq)-end token in YAML document/, text: 'did not find expected node content', of: 'structure' },
];

/** Matches a line break before a line that begins or ends a document. */
const DOCUMENT_MARK = /^\r?\n(?:---|\.\.\.)(?:\s|$)/;

function yamlSyntaxMessage(problem: SyntaxProblem, text: string): string {
  const { code, message } = problem;
  if (code === 'RESOURCE_EXHAUSTION') return 'exceeded max depth of 10000';
  const flow = /Flow (sequence|map)/.exec(message);
  if (flow !== null) return atLine(text, flowProblem(text, problem.pos[0], flow[1] === 'map'));
  let [offset] = problem.pos;
  if (message.startsWith('Missing closing') && DOCUMENT_MARK.test(text.slice(offset, offset + 6)))
    return atLine(text, { text: 'found unexpected document indicator', of: 'token', offset: offset + 1 });
  if (/in YAML stream|at node end/.test(message))
    return atLine(text, { text: `did not find expected ${whatContinues(text, offset)}`, of: 'structure', offset });
  const wording = WORDINGS.find(({ when }) => when.test(`${code} ${message} at "${text[offset]}"`));
  if (wording?.text.startsWith('mapping values')) offset = nextColon(text, offset);
  else if (wording?.text.startsWith('could not find')) offset = text.indexOf('\n', offset) + 1 || text.length;
  else if (wording?.text.includes('end of stream')) offset = text.length;
  return atLine(text, { text: wording?.text ?? 'did not find expected key', of: wording?.of ?? 'structure', offset });
}

interface Located {
  readonly text: string;
  readonly of: 'token' | 'structure';
  readonly offset: number;
}

function atLine(text: string, { text: words, of, offset }: Located): string {
  let line = 0;
  for (let i = text.indexOf('\n'); i >= 0 && i < offset; i = text.indexOf('\n', i + 1)) line++;
  // The end of a text without a final newline counts as another line.
  if (offset >= text.length && !text.endsWith('\n') && text !== '') line++;
  if (line === 0) return words;
  return `line ${of === 'token' ? line + 1 : line}: ${words}`;
}

/** Describes a `[` or `{` that is not closed. The message depends on the last character before the end. */
function flowProblem(text: string, position: number, isMap: boolean): Located {
  const before = text.slice(0, position + 1).trimEnd();
  const last = before.at(-1) ?? '';
  const offset = before.length === text.trimEnd().length ? text.length : position;
  if ('[{,:'.includes(last)) return { text: 'did not find expected node content', of: 'structure', offset };
  return { text: `did not find expected ',' or '${isMap ? '}' : ']'}'`, of: 'structure', offset };
}

/** Returns what could continue the innermost list or map, or the document, that ended before a position. */
function whatContinues(text: string, position: number): string {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1, position);
  // At the beginning of a line, the outermost list or map would continue. The first line without indentation shows which of them it is.
  const before = line.trim() === '' ? (/^(?![\s#%]|---|$).*$/m.exec(text)?.[0] ?? '') : line;
  if (/:(?:\s|$)/.test(before)) return 'key';
  return /^\s*-(?:\s|$)/.test(before) ? "'-' indicator" : '<document start>';
}

function nextColon(text: string, from: number): number {
  const colon = /:(?=\s|$)/g;
  colon.lastIndex = from;
  return colon.exec(text)?.index ?? from;
}
