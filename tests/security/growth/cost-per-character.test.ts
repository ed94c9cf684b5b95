import { describe, expect, it } from 'vitest';
import { printGoValue } from '../../../src/json/print-go.js';
import { validateFieldManager } from '../../../src/meta/manager-name.js';
import { percentDecode } from '../../../src/meta/query.js';
import type { RequestContext } from '../../../src/registry/request-context.js';
import { resourceQuota } from '../../../src/resources/core/limits/resource-quota.js';
import { parseFieldSelector } from '../../../src/selectors/field-selector.js';
import { parseLabelSelector } from '../../../src/selectors/label-selector.js';
import { stringifyJson } from '../../../src/serialization/json/encode.js';
import { parseDuration } from '../../../src/values/duration.js';
import { quote } from '../../../src/values/quote.js';
import { parseMicroTime, parseTime } from '../../../src/values/time.js';
import { parseUri } from '../../../src/values/uri.js';
import { cpuTime } from '../../support/cpu-time.js';

/* Work that grows linearly can still be too much for each character: a body has millions of them, a query before authentication one. */

/** Validates a quota with many scopes that together have the text. */
function validateQuotaScopes(text: string): void {
  const length = Math.ceil(text.length / SCOPES);
  const scopes = Array.from({ length: SCOPES }, (_, i) => text.slice(i * length, (i + 1) * length));
  const selector = {
    matchExpressions: scopes.map((scope) => ({ scopeName: 'BestEffort', operator: 'In', values: [scope] })),
  };
  // The validation of quotas reads neither other members nor the context.
  for (const spec of [{ scopes }, { hard: { services: '1', secrets: '1' }, scopeSelector: selector }])
    resourceQuota.strategy?.validate?.({ metadata: {}, spec, status: {} } as never, {} as RequestContext);
}
const SCOPES = 80;

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  parseTime,
  parseMicroTime,
  parseDuration,
  quote,
  parseUri,
  percentDecode,
  parseFieldSelector,
  parseLabelSelector,
  printGoValue: (text) => printGoValue(text),
  stringifyJson: (text) => stringifyJson(text),
  validateQuotaScopes,
  validateFieldManager: (text) => validateFieldManager(text, 'fieldManager'),
};
/** Characters that readers and messages treat differently. */
const CHARACTERS = ['a', ' ', '"', '\\', '%', '&', '\n', '\u0001', 'é', '\u00ad', '😀', '\ud800', ',', '=', '.'];
const LENGTH = 100_000;
const ROUNDS = 5;
/** The maximum cost of a reader, as a multiple of copying the text character by character. Most readers cost less than 40 copies. */
const LIMIT = 400;

/** Returns the least time of some runs, because other processes only add to it. */
function leastTime(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const since = cpuTime();
    try {
      run();
    } catch (error) {
      // Most readers refuse such texts, but an error of the test itself is thrown.
      if (error instanceof TypeError) throw error;
    }
    least = Math.min(least, cpuTime() - since);
  }
  return least;
}

function copy(text: string): string {
  let out = '';
  for (const character of text) out += character;
  return out;
}

describe('one character costs little', () => {
  for (const [name, read] of Object.entries(READERS))
    it(`to ${name}`, () => {
      const costs = CHARACTERS.map((character) => {
        const text = character.repeat(LENGTH);
        return [
          character,
          leastTime(() => read(text)) /
            Math.max(
              leastTime(() => copy(text)),
              0.5,
            ),
        ] as const;
      });
      expect(costs.filter(([, cost]) => cost > LIMIT)).toEqual([]);
    });
});
