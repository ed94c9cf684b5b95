import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../../docs/guides/faults.md', import.meta.url), 'utf8');
const [, section = ''] = guide.split('\n## How clients react\n');
const [table = ''] = /^\|[\s\S]*?(?=\n\n)/m.exec(section) ?? [];
const [head = [], , ...rows] = table
  .split('\n')
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));

/** The faults of the guide's table, under its names. */
export const guideFaults: readonly string[] = rows.map(([fault = '']) => fault);

/** A column of the guide's table: the reactions of one client to each fault. */
export interface GuideColumn {
  /** Returns the title of the test of a cell. @throws Error if the cell of the guide differs from the text `does`. */
  title(fault: string, does: string): string;
  /** The faults whose cell has no test. */
  untested(): readonly string[];
}

/** Reads a column, so that each of its cells is the title of a test, and nothing in the guide is untested. */
export function guideColumn(client: string): GuideColumn {
  const column = head.indexOf(client);
  const cells = new Map(rows.map((row) => [row[0] ?? '', row[column]]));
  const untested = new Set(guideFaults);
  return {
    title(fault, does) {
      const cell = cells.get(fault);
      if (cell !== does) throw new Error(`docs/guides/faults.md says about ${fault} with ${client}: ${cell}`);
      untested.delete(fault);
      return `${fault}: ${does}`;
    },
    untested: () => [...untested],
  };
}
