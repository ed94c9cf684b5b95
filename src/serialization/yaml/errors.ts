/** An error of the YAML package, with its position. */
export interface SyntaxProblem {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** Upstream's words for an error. Token errors count lines from 1, structural ones from 0, and line 0 is omitted. */
interface Wording {
  readonly when: RegExp;
  readonly text: string;
  readonly of: 'token' | 'structure';
}

const WORDINGS: readonly Wording[] = [
  { when: /^TAB_AS_INDENT|^BAD_SCALAR_START/, text: 'found character that cannot start any token', of: 'token' },
  { when: /Missing closing/, text: 'found unexpected end of stream', of: 'token' },
  { when: /^BAD_DQ_ESCAPE/, text: 'found unknown escape character', of: 'token' },
  { when: /^BAD_ALIAS/, text: 'did not find expected alphabetic or numeric character', of: 'token' },
  { when: /^BLOCK_AS_IMPLICIT_KEY/, text: 'mapping values are not allowed in this context', of: 'token' },
  { when: /^MULTILINE_IMPLICIT_KEY/, text: 'mapping values are not allowed in this context', of: 'token' },
  { when: /block-seq-ind on same line/, text: 'block sequence entries are not allowed in this context', of: 'token' },
  { when: /Implicit map keys need/, text: "could not find expected ':'", of: 'token' },
  { when: /Block scalar header/, text: 'did not find expected comment or line break', of: 'token' },
  { when: /^TAG_RESOLVE_FAILED/, text: "did not find the expected '>'", of: 'token' },
  { when: /^BAD_DIRECTIVE/, text: 'found unknown directive name', of: 'token' },
  {
    when: /Sequence item without|sequence items must start/,
    text: "did not find expected '-' indicator",
    of: 'structure',
  },
  { when: /flow-(?:map|seq)-end token in YAML document/, text: 'did not find expected node content', of: 'structure' },
  { when: /in YAML stream|at node end/, text: 'did not find expected <document start>', of: 'structure' },
];

/** Returns upstream's text for a syntax error (spec 9.7), without the leading `yaml: `. */
export function yamlSyntaxMessage(problem: SyntaxProblem, text: string): string {
  const { code, message } = problem;
  if (code === 'RESOURCE_EXHAUSTION') return 'exceeded max depth of 10000';
  const flow = /Flow (sequence|map)/.exec(message);
  if (flow !== null) return atLine(text, flowProblem(text, problem.pos[0], flow[1] === 'map'));
  const wording = WORDINGS.find(({ when }) => when.test(`${code} ${message}`));
  let offset = problem.pos[0];
  if (code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'MULTILINE_IMPLICIT_KEY') offset = nextColon(text, offset);
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
  // The end of the text counts as another line.
  if (offset >= text.length && !text.endsWith('\n') && text !== '') line++;
  if (line === 0) return words;
  return `line ${of === 'token' ? line + 1 : line}: ${words}`;
}

/** Describes an incomplete `[` or `{`: the expectation depends on what precedes it. */
function flowProblem(text: string, position: number, isMap: boolean): Located {
  const before = text.slice(0, position + 1).trimEnd();
  const last = before.at(-1) ?? '';
  const offset = before.length === text.trimEnd().length ? text.length : position;
  if ('[{,:'.includes(last)) return { text: 'did not find expected node content', of: 'structure', offset };
  return { text: `did not find expected ',' or '${isMap ? '}' : ']'}'`, of: 'structure', offset };
}

function nextColon(text: string, from: number): number {
  const colon = /:(?=\s|$)/g;
  colon.lastIndex = from;
  return colon.exec(text)?.index ?? from;
}
