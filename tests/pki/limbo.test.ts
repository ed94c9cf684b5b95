import { describe, expect, it } from 'vitest';
import type { Authenticator } from '../../src/authentication/authenticator.js';
import { x509 } from '../../src/authentication/certificates/x509.js';
import { headersOf } from '../../src/meta/request-headers.js';
import { decodePem } from '../../src/pki/pem.js';
import { fakeHost } from '../support/hosts.js';
import { hasSharedData, readShared } from '../support/shared-data.js';

/*
 * Chains of C2SP's x509-limbo, verified as those of connecting clients. The expected results are those of Go's verifier for the usage
 * "client auth", which upstream uses. The expected results of limbo itself follow a profile (RFC 5280, CABF).
 */
interface Case {
  readonly id: string;
  readonly trusted_certs: readonly string[];
  readonly untrusted_intermediates: readonly string[];
  readonly peer_certificate: string;
  readonly validation_time: string | null;
}
interface Verdict {
  readonly selected: boolean;
  readonly go: 'SUCCESS' | 'FAILURE';
}
const cases: readonly Case[] = readShared('data/x509-limbo/limbo.json', { testcases: [] }).testcases;
const verdicts: Readonly<Record<string, Verdict>> = readShared('data/x509-limbo/verdicts.json', {});

const MOST_MILLISECONDS = 50;

/** Cases with another result on purpose, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'pathological::nc-dos-3':
    'a subject of 2,048 attributes, which limbo refuses as well: a certificate has so many elements at most that to read it is cheap',
};

/** Returns the result of a server that trusts these CAs. */
async function verdictOf({ trusted_certs, untrusted_intermediates, peer_certificate, validation_time }: Case) {
  const peerCertificates = [peer_certificate, ...untrusted_intermediates].flatMap((pem) =>
    decodePem(pem).map(({ bytes }) => bytes),
  );
  const host = fakeHost(validation_time ?? '2026-01-01T00:00:00Z');
  let authenticator: Authenticator;
  try {
    authenticator = x509({ clientCA: trusted_certs })(host);
  } catch {
    return 'FAILURE';
  }
  const result = await authenticator.authenticate({ headers: headersOf(), peerCertificates });
  // A certificate without a common name has no user, but its chain is valid.
  return result.outcome === 'rejected' ? 'FAILURE' : 'SUCCESS';
}

describe.skipIf(!hasSharedData)('x509-limbo (skipped where the data is absent)', () => {
  const selected = cases.filter(({ id }) => verdicts[id]?.selected);
  const others = cases.filter(({ id }) => !verdicts[id]?.selected);
  const judged = new Map<Case, { readonly verdict: string; readonly cost: number }>();
  const judge = async (each: Case) => {
    const before = process.cpuUsage();
    const verdict = await verdictOf(each);
    const { user, system } = process.cpuUsage(before);
    const found = { verdict, cost: (user + system) / 1000 };
    judged.set(each, found);
    return found;
  };
  const wrong = async (some: readonly Case[]) => {
    const found: string[] = [];
    for (const each of some) {
      const { verdict: mine } = await judge(each);
      if (mine !== verdicts[each.id]?.go && !(each.id in EXCEPTIONS)) found.push(`${each.id}: ${mine}`);
    }
    return found;
  };
  it(`judges all ${selected.length} chains of clients as Go does`, async () => {
    expect(selected).toHaveLength(153);
    expect(await wrong(selected)).toEqual([]);
  });
  it(`judges the ${others.length} with more requirements (revocation lists, a depth, a server's name) by all other requirements`, async () => {
    expect(others).toHaveLength(41);
    expect(await wrong(others)).toEqual([]);
  });
  it('takes little time for any chain', async () => {
    const costs: [number, string][] = [];
    for (const each of cases) {
      let { cost } = judged.get(each) ?? (await judge(each));
      // The minimum of several runs is used, because noise and the first run only add time.
      for (let run = 0; run < 3 && cost > MOST_MILLISECONDS; run++) cost = Math.min(cost, (await judge(each)).cost);
      costs.push([cost, each.id]);
    }
    expect(costs.filter(([cost]) => cost > MOST_MILLISECONDS)).toEqual([]);
  });
});
