import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sharedUrl } from '../support/shared-data.js';

const root = new URL('../../', import.meta.url);
const conformance = sharedUrl('conformance/');
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const isThere = (file: string) => existsSync(new URL(file, root));

const sections = [...read('docs/specification.md').matchAll(/^### (\d+\.\d+ .+)$/gm)].map(([, title = '']) => title);
const rows = [...read('docs/specification-index.md').matchAll(/^\| (\d+\.\d+ .+?) \| (.*?) \| (.*?) \|$/gm)].map(
  ([, section = '', where = '', shownBy = '']) => ({ section, where: split(where), shownBy: split(shownBy) }),
);

function split(cell: string): string[] {
  return cell.split(', ').filter((part) => part !== '');
}

/** Returns whether a file declares a name. */
function declares(file: string, name: string): boolean {
  return new RegExp(
    String.raw`^(?:export )?(?:async )?(?:abstract )?(?:const|function\*?|class|interface|type) ${name}\b`,
    'm',
  ).test(read(file));
}

/** Returns tests by their file, and cases of the suite by `configuration:area/case`. */
const inSuite = (evidence: string) => /^`[a-z-]+:[a-z-]+\/[a-z0-9-]+`$/.test(evidence);

describe('docs/specification-index.md', () => {
  it('has a row for every section, in order', () => {
    expect(rows.map(({ section }) => section)).toEqual(sections);
  });

  it('names the code and the evidence of every section', () => {
    expect(rows.filter(({ where, shownBy }) => where.length === 0 || shownBy.length === 0)).toEqual([]);
  });

  it('names files and declarations that exist', () => {
    const wrong = rows.flatMap(({ section, where }) =>
      where.flatMap((place) => {
        const [, file = '', name = ''] = /^`(.+)` (\w+)$/.exec(place) ?? [];
        return file !== '' && isThere(`src/${file}`) && declares(`src/${file}`, name) ? [] : [`${section}: ${place}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it('names tests that exist', () => {
    const wrong = rows.flatMap(({ section, shownBy }) =>
      shownBy
        .filter((evidence) => !inSuite(evidence) && !isThere(`tests/${evidence.slice(1, -1)}`))
        .map((evidence) => `${section}: ${evidence}`),
    );
    expect(wrong).toEqual([]);
  });

  // The suite's cases are optional data beside the project.
  it.skipIf(!existsSync(conformance))('names cases of the differential suite that exist', () => {
    const wrong = rows.flatMap(({ section, shownBy }) =>
      shownBy.filter(inSuite).flatMap((evidence) => {
        const [configuration = '', name = ''] = evidence.slice(1, -1).split(':');
        const folder = configuration === 'default' ? 'cases' : `cases-${configuration}`;
        return existsSync(new URL(`${folder}/${name}.mjs`, conformance)) ? [] : [`${section}: ${evidence}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
