import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median, ratio, row } from './measure.mjs';

const run = promisify(execFile);
const part = fileURLToPath(new URL('growth/measure.mjs', import.meta.url));
const GROUPS = ['reads', 'watches', 'writes', 'decisions', 'ownership', 'controllers', 'states', 'definitions'];
const TARGET = 1.3;

/**
 * The cost per item with many items compared with that with few: objects of a list, watches of an event, dependents of an owner, and single
 * reads, writes and decisions with many others present. Each subject has its own process, in which the sizes alternate. If a subject
 * touches so many objects that they leave the processor's caches, its growth is divided by that of the plain loop over as many plain
 * objects that its file names.
 */
export default async function measure() {
  const rows = [];
  for (const group of GROUPS) {
    const { subjects } = await import(`./growth/${group}.mjs`);
    for (const name of Object.keys(subjects)) {
      const { stdout } = await run(process.execPath, ['--expose-gc', part, group, name]);
      rows.push(rowOf(`${group}: ${name}`, JSON.parse(stdout)));
    }
  }
  return rows;
}

/** Returns the row of the size with the largest growth. */
function rowOf(topic, { costs, plain }) {
  const [few, ...many] = Object.keys(costs);
  const growths = many.map((size) => {
    const growth = ratio(costs[size], costs[few]);
    return { growth, beyond: plain ? growth / ratio(plain[size], plain[few]) : growth };
  });
  const each = (found) => Object.entries(found).map(([size, numbers]) => `${size}: ${median(numbers).toFixed(2)}`);
  const grown = Math.max(...growths.map(({ growth }) => growth)).toFixed(2);
  const beside = plain ? `, ${grown} × before the division by the plain loop` : '';
  return row({
    topic,
    measured: Math.max(...growths.map(({ beyond }) => beyond)),
    target: TARGET,
    better: 'less',
    detail: `µs with ${each(costs).join(', ')}${beside}`,
  });
}
