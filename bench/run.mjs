// Measures speed as ratios within one run: npm run bench [topic ...]. Absolute times depend on the machine.
import { existsSync } from 'node:fs';
import { printRow } from './measure.mjs';

const TOPICS = [
  'start-up',
  'forks',
  'in-process',
  'writes',
  'rbac',
  'tokens',
  'credentials',
  'access',
  'memory',
  'storage',
  'etcd',
  'https',
  'requests',
  'metrics',
  'audit',
  'faults',
  'evidence',
  'watch',
  'flow-control',
  'floods',
  'expressions',
  'definitions',
  'large-bodies',
  'long-lists',
  'growth',
  'scale',
];

const wanted = process.argv.slice(2);
for (const topic of wanted.length > 0 ? wanted : TOPICS) {
  const file = new URL(`./${topic}.mjs`, import.meta.url);
  if (!existsSync(file)) continue;
  console.log(`\n${topic}`);
  const { default: measure } = await import(file);
  for (const row of await measure()) printRow(row);
}
