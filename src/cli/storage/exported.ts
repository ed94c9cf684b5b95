import type { BackendInitialState, BackendRecord } from '../../store/backend.js';

const HEADER = 'orch-apiserver storage export';
const FORMAT = 1;

/** Formats a state for {@link readEntries}: a line that says what it is, and a line for each object. */
export function* formatEntries({
  revision,
  entries,
}: {
  readonly revision: number;
  readonly entries: readonly BackendRecord<string>[];
}): Generator<string> {
  yield `${JSON.stringify({ header: HEADER, format: FORMAT, revision, objects: entries.length })}\n`;
  // The stored text is JSON already, and is passed on as it is.
  for (const { key, revision: written, createRevision, time, value = 'null' } of entries)
    yield `${JSON.stringify({ key, revision: written, createRevision, time }).slice(0, -1)},"value":${value}}\n`;
}

/** Reads what {@link formatEntries} wrote. @throws Error for a text that is not whole. */
export function readEntries(text: string): BackendInitialState<string> {
  const [first = '', ...lines] = text.split('\n');
  const { header, format, revision, objects } = parsed(first, 1);
  if (header !== HEADER) throw new Error(`the file was not written by ${HEADER}`);
  if (format !== FORMAT) throw new Error(`the file has format ${format}, and this release reads format ${FORMAT}`);
  if (lines.pop() !== '' || lines.length !== objects || !Number.isSafeInteger(revision))
    throw new Error(`the file is not whole: it should have ${objects} objects`);
  const entries = lines.map((line, index) => {
    const { key, revision: written, createRevision, time, value } = parsed(line, index + 2);
    if (typeof key !== 'string' || typeof value !== 'object' || value === null)
      throw new Error(`line ${index + 2} is not an object of the storage`);
    const numbers = [written, createRevision, time] as const;
    if (!numbers.every(Number.isFinite) || Number(written) > Number(revision))
      throw new Error(`line ${index + 2} is not an object of the storage`);
    return {
      key,
      revision: Number(written),
      createRevision: Number(createRevision),
      time: Number(time),
      value: JSON.stringify(value),
    };
  });
  if (new Set(entries.map(({ key }) => key)).size < entries.length) throw new Error('the file has an object twice');
  return { revision: Number(revision), entries };
}

function parsed(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`line ${number} is not JSON`, { cause: error });
  }
}
