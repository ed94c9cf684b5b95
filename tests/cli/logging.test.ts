import { describe, expect, it } from 'vitest';
import { createLogger, type LoggerOptions } from '../../src/cli/logger.js';
import type { RequestRecord } from '../../src/requests/request-record.js';

const now = new Date(2026, 10, 22, 18, 20, 1).getTime() + 5.25;
const request: RequestRecord = {
  verb: 'LIST',
  uri: '/api/v1/pods?limit=500',
  latency: 1.5,
  userAgent: 'kubectl/v1.31 "quoted"',
  auditId: 'a-1',
  sourceAddress: '127.0.0.1',
  status: 200,
};

function logger(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const made = createLogger({
    format: 'text',
    verbosity: 0,
    modules: '',
    write: (text) => lines.push(text),
    now: () => now,
    processId: 4711,
    ...options,
  });
  return { ...made, lines };
}

const FLOW = {
  ...{ priorityLevel: 'workload-low', flowSchema: 'service-accounts', initialSeats: 1, finalSeats: 2 },
  ...{ additionalLatency: 5, executionTime: 0.25 },
};

describe('text format', () => {
  it("has the form of upstream's log", () => {
    const { log, error, lines } = logger();
    log('told');
    error('wrong');
    expect(lines).toEqual([
      'I1122 18:20:01.005250    4711 server.ts:1] told\n',
      'E1122 18:20:01.005250    4711 server.ts:1] wrong\n',
    ]);
  });
  it('shows requests from verbosity 3 on', () => {
    expect(logger({ verbosity: 2 }).request).toBeUndefined();
    const { request: log, lines } = logger({ verbosity: 3 });
    log?.(request);
    expect(lines[0]).toBe(
      'I1122 18:20:01.005250    4711 httplog.ts:1] "HTTP" verb="LIST" URI="/api/v1/pods?limit=500" latency="1.5ms" ' +
        'userAgent="kubectl/v1.31 \\"quoted\\"" audit-ID="a-1" srcIP="127.0.0.1" resp=200\n',
    );
  });
  it('shows how priority and fairness treated a request', () => {
    const { request: log, lines } = logger({ verbosity: 3 });
    log?.({ ...request, flow: FLOW });
    log?.({ ...request, verb: 'WATCH', flow: FLOW });
    log?.({ ...request, status: 429, flow: { ...FLOW, executionTime: undefined } });
    const first =
      'apf_pl="workload-low" apf_fs="service-accounts" apf_iseats=1 apf_fseats=2 apf_additionalLatency="5ms"';
    expect(lines.map((line) => line.replace(/.* srcIP="127.0.0.1" /, ''))).toEqual([
      `${first} apf_execution_time="250µs" resp=200\n`,
      `${first} apf_init_latency="250µs" apf_execution_time="250µs" resp=200\n`,
      `${first} resp=429\n`,
    ]);
  });
  it('cuts long names of priority levels and flow schemas', () => {
    const { request: log, lines } = logger({ verbosity: 3 });
    const flow = { ...FLOW, priorityLevel: 'l'.repeat(65), flowSchema: 's'.repeat(64) };
    log?.({ ...request, flow });
    expect(lines[0]).toContain(` apf_pl="${'l'.repeat(64)}" apf_fs="${'s'.repeat(64)}" `);
  });
  it.each([
    ['httplog=3', 0, true],
    ['http*=4', 0, true],
    ['http?og=3', 0, true],
    ['server=9,httplog=2', 5, false],
    ['other=9', 0, false],
  ])('by module: %s with -v=%d', (modules, verbosity, shown) => {
    expect(logger({ modules, verbosity }).request !== undefined).toBe(shown);
  });
  it.each([
    ['a', '"a" does not have the pattern=N format'],
    ['=1', '"=1" does not have the pattern=N format'],
    ['a=1=2', '"a=1=2" does not have the pattern=N format'],
    ['a=b', 'parsing verbosity in "a=b": strconv.ParseUint: parsing "b": invalid syntax'],
    ['a=-1', 'parsing verbosity in "a=-1": strconv.ParseUint: parsing "-1": invalid syntax'],
    [
      'a=2147483648',
      'parsing verbosity in "a=2147483648": strconv.ParseUint: parsing "2147483648": value out of range',
    ],
  ])('refuses the module pattern %s', (modules, message) => {
    expect(() => logger({ modules })).toThrow(message);
  });
});

describe('json format', () => {
  const json = (lines: readonly string[]) => lines.map((line) => JSON.parse(line));
  it('writes an object per line', () => {
    const { log, error, request: told, lines } = logger({ format: 'json', verbosity: 3 });
    log('told\nin two lines');
    error(new Error('wrong'));
    told?.(request);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    const ts = expect.closeTo(now, 2);
    expect(json(lines)).toEqual([
      { ts, caller: 'server.ts:1', msg: 'told\nin two lines', v: 0 },
      { ts, caller: 'server.ts:1', msg: expect.stringContaining('Error: wrong') },
      {
        ts,
        caller: 'httplog.ts:1',
        msg: 'HTTP',
        v: 3,
        verb: 'LIST',
        URI: '/api/v1/pods?limit=500',
        latency: '1.5ms',
        userAgent: 'kubectl/v1.31 "quoted"',
        'audit-ID': 'a-1',
        srcIP: '127.0.0.1',
        resp: 200,
      },
    ]);
  });
});

it.each(['text', 'json'] as const)('no line contains a credential: %s', (format) => {
  const { log, error, lines } = logger({ format });
  log('token "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln" was refused');
  log('Authorization: Bearer very-secret-token, and abcdef.0123456789abcdef');
  error(new Error('asked with Basic dXNlcjpwYXNz'));
  for (const secret of ['eyJhbGciOi', 'very-secret-token', '0123456789abcdef', 'dXNlcjpwYXNz'])
    expect(lines.join('')).not.toContain(secret);
});
