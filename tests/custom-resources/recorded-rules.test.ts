import { afterAll, describe, expect, it } from 'vitest';
import { requestsTo } from '../support/ask.js';
import { suiteServer } from '../support/servers.js';
import { readShared } from '../support/shared-data.js';
import { everybody, manifest } from './support.js';

interface Row {
  readonly name: string;
  readonly isRoot?: boolean;
  readonly expectSkipped?: boolean;
  readonly schema: { readonly type?: string };
  readonly obj: unknown;
  readonly oldObj?: unknown;
  readonly valid?: readonly string[];
  readonly errors?: Readonly<Record<string, string>>;
}
const tables: Readonly<Record<string, readonly Row[]>> = readShared('data/k8s-cel/crd-validation-rules.json', {
  tables: {},
}).tables;
const rows = tables['TestValidationExpressions'] ?? [];

/** Returns whether JavaScript's numbers can represent all numbers in a value. */
const isSafe = (value: unknown): boolean =>
  typeof value === 'number'
    ? !Number.isInteger(value) || Number.isSafeInteger(value)
    : typeof value !== 'object' || value === null || Object.values(value).every(isSafe);
/** Rules about whole objects concern objects that a server cannot store, so they are tested on a field of an object. */
const placed = rows.filter(
  ({ name, isRoot, obj }) => !isRoot && !name.startsWith('typemeta') && isSafe(obj) && !hasBadMetadata(obj),
);
/** One of these objects has a namespace that no server accepts. */
function hasBadMetadata(value: unknown): boolean {
  return JSON.stringify(value).includes('"namespace":"reserved_keyword_namespace"');
}

interface Refusal {
  readonly field: string;
  readonly message: string;
}
interface Answer {
  readonly status: number;
  readonly value: { readonly details?: { readonly causes?: readonly Refusal[] }; readonly message?: string };
}

describe.skipIf(rows.length === 0)(`rules of upstream through a server: ${placed.length} schemas`, () => {
  const server = suiteServer({ dialect: 'k8s', authentication: [everybody] });
  const { post, put } = requestsTo(server);
  const counts = { held: 0, failed: 0, uncompiled: 0, tooDear: 0, otherwise: 0 };
  afterAll(() => {
    // Some rules are excluded because definitions with them cost too much, or lack something. Most of the others may cost too much at an
    // unlimited path, or their schemas are invalid in a definition.
    expect(counts.held).toBeGreaterThanOrEqual(511);
    expect(counts.failed + counts.uncompiled).toBeGreaterThanOrEqual(44);
  });

  let next = 0;
  const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  /** Serves a kind whose `spec.value` has these rules. @returns its path, and the errors of the definition */
  const define = async (row: Row, rules: readonly string[]) => {
    const plural = `things${next++}`;
    const value = {
      ...row.schema,
      'x-kubernetes-validations': rules.map((rule) => ({ rule, message: 'does not hold' })),
    };
    const crd = manifest({ names: { plural, kind: `Thing${next}` }, spec: { value } as never });
    const made = (await post(CRDS, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      ...crd,
    })) as Answer;
    if (made.status === 201) await server.settle();
    return { made, kind: `Thing${next}`, path: `/apis/example.com/v1/namespaces/default/${plural}` };
  };
  const write = async ({ path, kind }: { path: string; kind: string }, { obj, oldObj }: Row) => {
    const object = { apiVersion: 'example.com/v1', kind, metadata: { name: 'a' }, spec: { value: obj } };
    if (oldObj === undefined) return (await post(path, object)) as Answer;
    const before = await post(path, { ...object, spec: { value: oldObj } });
    const { resourceVersion } = (before.value as { metadata: { resourceVersion: string } }).metadata ?? {};
    const metadata = { name: 'a', resourceVersion };
    return (await put(`${path}/a`, { ...object, metadata })) as Answer;
  };
  /** Returns the rules that a server accepts, and the errors of the others. */
  const accepted = async (row: Row, rules: readonly string[]) => {
    const first = await define(row, rules);
    if (first.made.status === 201) return { rules, refused: new Map<string, string>(), kind: first };
    const causes = first.made.value.details?.causes ?? [];
    const refused = new Map<string, string>();
    for (const { field, message } of causes) {
      const index = /validations\[(\d+)\]/.exec(field)?.[1];
      const rule = index === undefined ? undefined : rules[Number(index)];
      if (rule !== undefined && !refused.has(rule)) refused.set(rule, message);
    }
    const left = rules.filter((rule) => !refused.has(rule));
    const kind = refused.size > 0 && left.length > 0 ? await define(row, left) : undefined;
    return { rules: kind?.made.status === 201 ? left : [], refused, kind };
  };
  const tooDear = (message = '') => message.includes('cost');

  it.each(placed.filter(({ valid }) => valid?.length).map((row) => [row.name, row] as const))(
    'hold: %s',
    async (_name, row) => {
      const { rules, refused, kind } = await accepted(row, row.valid ?? []);
      for (const [rule, message] of refused)
        expect([rule, tooDear(message) ? 'cost' : message]).toEqual([rule, 'cost']);
      counts.tooDear += refused.size;
      if (!kind || rules.length === 0) return void (counts.otherwise += (row.valid?.length ?? 0) - refused.size);
      expect(await write(kind, row)).toMatchObject({ status: row.oldObj === undefined ? 201 : 200 });
      counts.held += rules.length;
    },
  );

  it.each(placed.filter(({ errors }) => errors).map((row) => [row.name, row] as const))(
    'fail: %s',
    async (_name, row) => {
      const expected = row.errors ?? {};
      const { rules, refused, kind } = await accepted(row, Object.keys(expected));
      for (const [rule, message] of refused) {
        if (tooDear(message)) counts.tooDear++;
        else {
          expect(message).toContain(expected[rule]?.replace(/^(rule )?compile error: /, ''));
          counts.uncompiled++;
        }
      }
      if (!kind || rules.length === 0) return;
      // The rules are evaluated one by one, because a rule that fails ends the evaluation of others.
      for (const rule of rules) {
        const one = rules.length === 1 ? kind : await define(row, [rule]);
        const { status, value } = await write(one, row);
        expect([rule, status]).toEqual([rule, 422]);
        expect(value.message).toContain(expected[rule]);
        counts.failed++;
      }
    },
  );
});
