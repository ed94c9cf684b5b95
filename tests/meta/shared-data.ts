import { existsSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../shared/', import.meta.url);

/** The upstream's tables and the recorded answers live outside of the project; tests that read them skip without. */
export const hasSharedData = existsSync(new URL('data/k8s-tables', ROOT));

interface Table {
  readonly test: string;
  readonly table: string;
  readonly cases: unknown;
}

/** The cases of one of the upstream's tables; an empty list where the data is absent. */
export function cases<T>(file: string, test: string, name: string): T {
  if (!hasSharedData) return [] as T;
  const { tables } = read(`data/k8s-tables/${file}.json`) as { tables: Table[] };
  const found = tables.find((t) => t.test === test && t.table === name);
  if (found === undefined) throw new Error(`no table ${test} ${name}`);
  // The caller knows the table's shape.
  return found.cases as T;
}

export interface GoldenStep {
  readonly step: string;
  readonly status?: number;
  readonly body?: {
    readonly message?: string;
    readonly details?: { readonly causes?: readonly { reason: string; message: string; field: string }[] };
  };
}

/** The recorded steps of a golden file; none where the data is absent. */
export function goldenSteps(file: string): readonly GoldenStep[] {
  if (!hasSharedData) return [];
  return (read(`conformance/golden/${file}.json`) as { steps: GoldenStep[] }).steps;
}

/** The causes of one recorded answer, addresses and uids as tests write them. */
export function goldenCauses(file: string, step: string) {
  const found = goldenSteps(file).find((s) => s.step === step);
  return found?.body?.details?.causes;
}

function read(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));
}
