import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../../../shared/conformance/golden/', import.meta.url);
/** Whether the recorded answers are there. */
export const hasGolden = existsSync(folder);

export interface Step {
  readonly step: string;
  readonly status?: number;
  readonly body: unknown;
}
/** The recorded steps of a case, `crd/schema-errors`. */
export function goldenSteps(name: string): Step[] {
  const parsed: unknown = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
  return (parsed as { steps: Step[] }).steps; // the recorder's form
}
/** The causes of a recorded failure, as `path: text`, sorted. */
export function causesOf(body: unknown): string[] {
  const { details } = body as { details?: { causes?: { field: string; message: string }[] } }; // a Status
  return (details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`).sort();
}
