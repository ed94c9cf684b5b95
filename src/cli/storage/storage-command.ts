import { join } from 'node:path';
import { systemClock } from '../../meta/clock.js';
import { noMetrics } from '../../metrics/metrics.js';
import type { BackendInitialState, BackendRecord } from '../../store/backend.js';
import {
  checkFolder,
  compactFolder,
  type FolderReport,
  fillFolder,
  readFolder,
} from '../../store/level/maintenance.js';
import { plainTransformer, type Transformer, textForm } from '../../store/transformer.js';
import { messageOf } from '../../values/message-of.js';
import { exists, readTextFile } from '../files.js';
import { selectedDialect } from '../selected-dialect.js';
import { dataFolder, openDatabaseFolder } from './data-folder.js';
import { readEncryptionFile } from './encryption-file.js';

const HELP = `orch-apiserver storage: looks after a folder of --data-dir that no server uses.

Usage:
  orch-apiserver storage check DIR         read and check every record
  orch-apiserver storage compact DIR       drop the history that is too old and shrink the files
  orch-apiserver storage export DIR        write all objects to stdout, one line of JSON for each
  orch-apiserver storage import DIR FILE   restore an export into a folder that has no data

An export is not encrypted. For a folder of encrypted objects, export and import need two flags of the server:
  --encryption-provider-config=FILE        the file with the keys
  --dialect=orch|k8s                       the dialect of the group names in that file (default orch)
`;

interface Output {
  write(text: string): unknown;
}

/**
 * Runs the command `orch-apiserver storage`.
 * @param args the arguments after `storage`
 * @throws Error that says what is wrong with the arguments or the folder.
 */
export async function runStorageCommand(args: readonly string[], stdout: Output): Promise<void> {
  const options = new Map(args.flatMap((arg) => optionOf(arg) ?? []));
  const [command = '', folder = '', ...files] = args.filter((arg) => optionOf(arg) === undefined);
  if (command === '--help' || command === '-h' || command === 'help') return void stdout.write(HELP);
  const run = Object.hasOwn(COMMANDS, command) ? COMMANDS[command as keyof typeof COMMANDS] : undefined;
  const isUnderstood =
    folder !== '' &&
    !args.some((arg) => arg.startsWith('-') && optionOf(arg) === undefined) &&
    files.length === (command === 'import' ? 1 : 0) &&
    (options.size === 0 || command === 'import' || command === 'export');
  if (run === undefined || !isUnderstood)
    throw new Error(`invalid arguments: ${args.join(' ') || 'none given'}\n\n${HELP.trimEnd()}`);
  await run(folder, stdout, options, files[0] ?? '');
}

type Options = ReadonlyMap<string, string>;
const CONFIG = 'encryption-provider-config';
const OPTION = new RegExp(`^--(${CONFIG}|dialect)=(.+)$`, 's');

/** Returns the name and value of an option; undefined if the argument is not an option. */
function optionOf(arg: string): readonly (readonly [name: string, value: string])[] | undefined {
  const [, name, value] = OPTION.exec(arg) ?? [];
  return name === undefined || value === undefined ? undefined : [[name, value]];
}

/** Returns the transformer that encrypts and decrypts objects as a server does. @throws Error for a file that cannot be used */
async function transformerFor(options: Options): Promise<Transformer<string>> {
  const file = options.get(CONFIG);
  const named = options.get('dialect') ?? 'orch';
  if (named !== 'orch' && named !== 'k8s') throw new Error(`--dialect must be orch or k8s, not ${named}`);
  if (file === undefined) return plainTransformer(textForm);
  const dialect = selectedDialect({ dialect: named });
  const { encryption } = await readEncryptionFile(file, named);
  const { builtinResources } = await import('../../resources/index.js');
  const { storedResources } = await import('../../server/stored-resources.js');
  return encryption.transformer(textForm, {
    resourceOf: storedResources(builtinResources, dialect),
    placeOf: (key) => key,
    clock: systemClock,
    metrics: noMetrics,
  });
}

const COMMANDS = {
  async check(folder: string, stdout: Output): Promise<void> {
    const report = await checkFolder(await databaseOf(folder));
    for (const problem of report.problems) stdout.write(`${problem}\n`);
    if (report.problems.length > 0) throw new Error(`${folder} is damaged: replace it with an earlier copy or export`);
    stdout.write(`${folder} is undamaged: ${describe(report)}\n`);
  },
  async compact(folder: string, stdout: Output): Promise<void> {
    stdout.write(`${folder} is compacted: ${describe(await compactFolder(await databaseOf(folder), systemClock))}\n`);
  },
  async export(folder: string, stdout: Output, options: Options): Promise<void> {
    const { fromStorage } = await transformerFor(options);
    const decrypt = (record: BackendRecord<string>) => {
      const { key, value = '' } = record;
      try {
        return { ...record, value: fromStorage(value, key).value };
      } catch (error) {
        const advice = options.has(CONFIG) ? '' : `: give --${CONFIG}`;
        throw new Error(`${key} cannot be read: ${messageOf(error)}${advice}`, { cause: error });
      }
    };
    const { revision, entries } = await readFolder(await databaseOf(folder));
    // All entries are decrypted before any is written, so that nothing is written if one of them cannot be read.
    for (const line of formatEntries({ revision, entries: entries.map(decrypt) })) stdout.write(line);
  },
  async import(folder: string, stdout: Output, options: Options, file: string): Promise<void> {
    const { toStorage } = await transformerFor(options);
    const state = readEntries(await readTextFile(file));
    const entries = state.entries.map((entry) => ({ ...entry, value: toStorage(entry.value, entry.key) }));
    await fillFolder(await openDatabaseFolder(folder), { ...state, entries }, systemClock);
    stdout.write(`${folder} has ${state.entries.length} objects at revision ${state.revision}\n`);
  },
} as const;

/**
 * Returns the path of the database in a folder that is used as `--data-dir` or by a `level()` storage. @throws Error if it has no database
 */
async function databaseOf(folder: string): Promise<string> {
  const { database } = dataFolder(folder);
  for (const path of [database, folder]) if (await exists(join(path, 'CURRENT'))) return path;
  throw new Error(`${folder} has no data`);
}

function describe({ objects, events, revision, compactRevision }: FolderReport): string {
  return `${objects} objects at revision ${revision}, ${events} events of history since revision ${compactRevision}`;
}

const HEADER = 'orch-apiserver storage export';
const FORMAT = 1;

/** Formats a state for {@link readEntries}: a header line, and a line for each object. */
export function* formatEntries({
  revision,
  entries,
}: {
  readonly revision: number;
  readonly entries: readonly BackendRecord<string>[];
}): Generator<string> {
  yield `${JSON.stringify({ header: HEADER, format: FORMAT, revision, objects: entries.length })}\n`;
  // The stored value is already formatted as JSON, so it is inserted as it is.
  for (const { key, revision: written, createRevision, time, value = 'null' } of entries)
    yield `${JSON.stringify({ key, revision: written, createRevision, time }).slice(0, -1)},"value":${value}}\n`;
}

/** Parses the output of {@link formatEntries}. @throws Error for a file that is incomplete. */
export function readEntries(text: string): BackendInitialState<string> {
  const [first = '', ...lines] = text.split('\n');
  const { header, format, revision, objects } = parseLine(first, 1);
  if (header !== HEADER) throw new Error(`the file was not written by ${HEADER}`);
  if (format !== FORMAT) throw new Error(`the file has format ${format}, and this release reads format ${FORMAT}`);
  if (lines.pop() !== '' || lines.length !== objects || !Number.isSafeInteger(revision))
    throw new Error(`the file is incomplete: it should contain ${objects} objects`);
  const entries = lines.map((line, index) => {
    const { key, revision: written, createRevision, time, value } = parseLine(line, index + 2);
    if (typeof key !== 'string' || typeof value !== 'object' || value === null)
      throw new Error(`line ${index + 2} is not an object of the storage`);
    const order = [1, createRevision, written, revision] as readonly number[];
    const isOrdered = order.every((each, i) => Number.isSafeInteger(each) && each >= (order[i - 1] ?? 1));
    if (!isOrdered || !Number.isFinite(time)) throw new Error(`line ${index + 2} is not an object of the storage`);
    return {
      key,
      revision: Number(written),
      createRevision: Number(createRevision),
      time: Number(time),
      value: JSON.stringify(value),
    };
  });
  if (new Set(entries.map(({ key }) => key)).size < entries.length)
    throw new Error('the file contains an object twice');
  return { revision: Number(revision), entries };
}

function parseLine(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch (error) {
    throw new Error(`line ${number} is not JSON`, { cause: error });
  }
}
