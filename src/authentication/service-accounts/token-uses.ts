import type { Host } from '../../meta/host.js';
import type { MetricFamily } from '../../metrics/metrics.js';

function family(sort: string, which: string): MetricFamily {
  return {
    name: `serviceaccount_${sort}_tokens_total`,
    help: `Cumulative ${which} service account tokens used`,
    type: 'counter',
    labels: [],
    stability: 'ALPHA',
  };
}

const FAMILIES = /* @__PURE__ */ Object.freeze({
  legacy: /* @__PURE__ */ family('legacy', 'legacy'),
  stale: /* @__PURE__ */ family('stale', 'stale projected'),
  valid: /* @__PURE__ */ family('valid', 'valid projected'),
});

/** Shows how many tokens were used, from the start. */
export function declareTokenUses({ metrics }: Pick<Host, 'metrics'>): void {
  metrics.declare(...Object.values(FAMILIES));
}

/**
 * Counts the use of a token. One that is good for longer than was asked, and in use for longer, is stale (spec 14.6).
 * @param isLegacy whether it is kept in a secret.
 */
export function countTokenUse(
  { metrics, clock, dialect }: Pick<Host, 'metrics' | 'clock' | 'dialect'>,
  claims: Readonly<Record<string, unknown>>,
  isLegacy: boolean,
): void {
  const own = Object(claims[dialect.tokenPrivateClaim]) as { readonly warnafter?: unknown };
  const { warnafter = 0 } = own;
  const isStale = typeof warnafter === 'number' && warnafter !== 0 && clock.now() / 1000 > warnafter;
  metrics.add(FAMILIES[isLegacy ? 'legacy' : isStale ? 'stale' : 'valid'], []);
}
