import { describe, expect, it } from 'vitest';
import { parseQuery } from '../../src/meta/query.js';
import { HealthChecks } from '../../src/requests/documents/health.js';
import { textOf } from '../../src/requests/result.js';

const check = (name: string, problem?: string) => ({ name, check: () => problem });
const broken = 'the secret reason';
const list = [check('ping'), check('etcd', broken), check('poststarthook/rbac/bootstrap-roles', 'not finished')];
const told: string[] = [];
const health = new HealthChecks({ healthz: [check('ping')], livez: list, readyz: list }, (endpoint, name, well) =>
  told.push(`${endpoint} ${name} ${well}`),
);
function answerOf(path: string, query = ''): readonly [number, string] | undefined {
  const result = health.answer(path, parseQuery(query));
  return result?.type === 'raw' ? [result.status, textOf(result)] : undefined;
}

describe('a health endpoint', () => {
  it('that fails reports everything but the reason, verbose or not', () => {
    const text =
      '[+]ping ok\n[-]etcd failed: reason withheld\n[-]poststarthook/rbac/bootstrap-roles failed: reason withheld\nlivez check failed\n';
    for (const query of ['', 'verbose', 'verbose=false']) expect(answerOf('/livez', query)).toEqual([500, text]);
    expect(text).not.toContain(broken);
  });

  it('leaves out each check that `exclude` names, and is healthy without it', () => {
    const both = 'exclude=etcd&exclude=poststarthook/rbac/bootstrap-roles';
    expect(answerOf('/readyz', both)).toEqual([200, 'ok']);
    expect(answerOf('/readyz', `verbose&${both}&exclude=etcd`)).toEqual([
      200,
      '[+]ping ok\n[+]etcd excluded: ok\n[+]poststarthook/rbac/bootstrap-roles excluded: ok\nreadyz check passed\n',
    ]);
    expect(answerOf('/readyz', 'exclude=poststarthook%2Frbac%2Fbootstrap-roles')?.[1]).toContain('[-]etcd failed');
  });

  it('warns of excluded names that match nothing, as given, before its last line', () => {
    expect(answerOf('/healthz', 'verbose&exclude=b%0A&exclude=a&exclude=ping')).toEqual([
      200,
      '[+]ping excluded: ok\nwarn: some health checks cannot be excluded: no matches for "a","b\\n"\nhealthz check passed\n',
    ]);
    // A healthy server without `verbose` lists no checks.
    expect(answerOf('/healthz', 'exclude=a')).toEqual([200, 'ok']);
    expect(answerOf('/livez', 'exclude=etcd,ping')?.[1]).toContain('no matches for "etcd,ping"\nlivez check failed\n');
  });

  it('has a path for each check, which reports why it fails', () => {
    expect(answerOf('/livez/ping', 'exclude=ping')).toEqual([200, 'ok']);
    expect(answerOf('/livez/etcd')).toEqual([500, `internal server error: ${broken}\n`]);
    expect(answerOf('/readyz/poststarthook/rbac/bootstrap-roles')?.[0]).toBe(500);
    for (const path of ['/healthz/etcd', '/livez/PING', '/livez/ping/', '/livez/', '/livezz', '/livez/poststarthook'])
      expect(answerOf(path), path).toBeUndefined();
  });

  it('is counted for each check that was performed', () => {
    told.length = 0;
    answerOf('/livez', 'exclude=etcd');
    answerOf('/livez/etcd');
    expect(told).toEqual(['livez ping true', 'livez poststarthook/rbac/bootstrap-roles false']);
  });
});

describe.each(['healthz', 'livez', 'readyz'] as const)('/%s, with the messages of upstream', (name) => {
  const failed = `[+]ping ok\n[-]bad failed: reason withheld\n${name} check failed\n`;
  const warned = '[+]ping ok\nwarn: some health checks cannot be excluded: no matches for "dontexist"\n';
  it.each<[path: string, query: string, isBad: boolean, status: number, text: string]>([
    ['', 'verbose', false, 200, `[+]ping ok\n${name} check passed\n`],
    ['', 'exclude=dontexist', false, 200, 'ok'],
    ['', 'exclude=bad', true, 200, 'ok'],
    ['', 'verbose=true&exclude=bad', true, 200, `[+]ping ok\n[+]bad excluded: ok\n${name} check passed\n`],
    ['', 'verbose=true&exclude=dontexist', false, 200, `${warned}${name} check passed\n`],
    ['/ping', '', false, 200, 'ok'],
    ['', '', false, 200, 'ok'],
    ['', 'verbose', true, 500, failed],
    ['/ping', '', true, 200, 'ok'],
    ['/bad', '', true, 500, 'internal server error: this will fail\n'],
    ['', '', true, 500, failed],
  ])('%s?%s (bad: %s)', (path, query, isBad, status, text) => {
    const checks = [check('ping'), ...(isBad ? [check('bad', 'this will fail')] : [])];
    const all = new HealthChecks({ healthz: checks, livez: checks, readyz: checks });
    const result = all.answer(`/${name}${path}`, parseQuery(query));
    if (result?.type !== 'raw') throw new Error('no answer');
    expect([result.status, textOf(result)]).toEqual([status, text]);
    expect(result.headers['Content-Type']).toBe('text/plain; charset=utf-8');
  });
});
