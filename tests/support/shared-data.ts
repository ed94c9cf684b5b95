import { existsSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../shared/', import.meta.url);

/** The upstream's tables and the recorded answers lie outside of the project; tests that read them are skipped without. */
export const hasSharedData = existsSync(new URL('data/k8s-tables', ROOT));

/** Where a file or folder of the data lies. */
export const sharedUrl = (path: string): URL => new URL(path, ROOT);

/** A text file of the data. */
export const readSharedText = (path: string): string => readFileSync(sharedUrl(path), 'utf8');

/** A JSON file of the data, of the shape that the test knows; `absent` where there is no data. */
// biome-ignore lint/suspicious/noExplicitAny: tables have many shapes, read as they are
export function readShared<T = any>(path: string, absent?: T): T {
  return hasSharedData ? JSON.parse(readSharedText(path)) : (absent as T); // tests that get undefined are skipped
}

interface Table {
  readonly test: string;
  readonly table: string;
  readonly cases: unknown;
}

/** The cases of one of the upstream's tables; an empty list where the data is absent. */
export function cases<T>(file: string, test: string, name: string): T {
  if (!hasSharedData) return [] as T;
  const { tables } = readShared<{ tables: Table[] }>(`data/k8s-tables/${file}.json`);
  const found = tables.find((t) => t.test === test && t.table === name);
  if (found === undefined) throw new Error(`no table ${test} ${name}`);
  return found.cases as T; // the caller knows the table's shape
}

/** A recorded answer to one step of a case. */
export interface GoldenStep<Body = unknown> {
  readonly step: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Body;
}

/** The recorded answers of a case file, by step; none where the data is absent. */
export const goldenSteps = <Body = unknown>(file: string): readonly GoldenStep<Body>[] =>
  readShared(`conformance/golden/${file}.json`, { steps: [] }).steps;

/** What tests look at in a recorded Status. */
export interface RecordedStatus {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { reason: string; message: string; field: string }[] };
}

/** The causes of one recorded answer, addresses and uids as tests write them. */
export function goldenCauses(file: string, step: string) {
  const found = goldenSteps<RecordedStatus | undefined>(file).find((s) => s.step === step);
  return found?.body?.details?.causes;
}
