import { parseQuery } from '../../../src/meta/query.js';
import type { GrowthRow } from './measure.js';

export const rows: readonly GrowthRow[] = [
  {
    name: 'the query: many parameters',
    n: 5_000,
    prepare: (n) => {
      const query = 'a=b&'.repeat(n);
      return () => parseQuery(query);
    },
  },
];
