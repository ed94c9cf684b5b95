import { existsSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../shared/', import.meta.url);

/** Upstream's tables and the recorded responses are outside the project; tests that need them are skipped if they are absent. */
export const hasSharedData = existsSync(new URL('data/k8s-tables', ROOT));

/** Returns the URL of a file or folder of the data. */
export const sharedUrl = (path: string): URL => new URL(path, ROOT);

/** Returns a text file of the data. */
export const readSharedText = (path: string): string => readFileSync(sharedUrl(path), 'utf8');

/** Returns a JSON file of the data in the shape that the test expects; `absent` without the data. */
// biome-ignore lint/suspicious/noExplicitAny: tables have many shapes, read as they are
export function readShared<T = any>(path: string, absent?: T): T {
  return hasSharedData ? JSON.parse(readSharedText(path)) : (absent as T); // tests that get undefined are skipped
}

interface Table {
  readonly test: string;
  readonly table: string;
  readonly cases: unknown;
}

/** Returns the cases of one of upstream's tables; an empty list without the data. */
export function cases<T>(file: string, test: string, name: string): T {
  if (!hasSharedData) return [] as T;
  const { tables } = readShared<{ tables: Table[] }>(`data/k8s-tables/${file}.json`);
  const found = tables.find((t) => t.test === test && t.table === name);
  if (found === undefined) throw new Error(`no table ${test} ${name}`);
  return found.cases as T; // the caller knows the table's shape
}

/** A recorded response to one step of a case. */
export interface GoldenStep<Body = unknown> {
  readonly step: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Body;
}

/** Returns the recorded responses of a case file, by step; none without the data. */
export const goldenSteps = <Body = unknown>(file: string): readonly GoldenStep<Body>[] =>
  readShared(`conformance/golden/${file}.json`, { steps: [] }).steps;

/** The members of a recorded Status that tests compare. */
export interface RecordedStatus {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { reason: string; message: string; field: string }[] };
}

/** Returns the causes of one recorded response, with the addresses and uids that tests use. */
export function goldenCauses(file: string, step: string) {
  const found = goldenSteps<RecordedStatus | undefined>(file).find((s) => s.step === step);
  return found?.body?.details?.causes;
}
