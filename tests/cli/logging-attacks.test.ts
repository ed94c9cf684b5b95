import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/cli/logger.js';
import { maskSecrets, maskUri } from '../../src/values/mask-secrets.js';

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';
const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----';
const ESCAPE = '\u001b[2J\u009b31m\u202e\u2028\u0000\u007f';
const FORGED = 'I1122 18:20:01.005250    4711 server.ts:1] all is well';

/** Returns the lines of a logger at one verbosity. */
function linesOf(format: 'text' | 'json', verbosity: number, hostile: string): string[] {
  const written: string[] = [];
  const now = () => 0;
  const write = (text: string) => written.push(text);
  const { log, error, request } = createLogger({ format, verbosity, modules: '', write, now, processId: 4711 });
  log(`said: ${hostile}`);
  error(new Error(`failed: ${hostile}`));
  error(hostile);
  const rest = { verb: 'GET', latency: 1, auditId: hostile, sourceAddress: hostile, status: 200 };
  request?.({ ...rest, uri: maskUri(`/api/${hostile}`, `a=${hostile}`), userAgent: maskSecrets(hostile) });
  return written;
}

describe.each(['text', 'json'] as const)('in %s, whatever is logged', (format) => {
  const verbosities = Array.from({ length: 11 }, (_, verbosity) => verbosity);

  it.each([
    ['a token', JWT],
    ['a token in a header', 'Authorization: Bearer opensesame.opensesame'],
    ['another spelling', 'bearer   opensesame'],
    ['a name and password in a URL', 'Post "https://bob:opensesame@hooks.example.com/x": refused'],
    ['a query', 'Get "https://x/y?access_token=opensesame&b=c": EOF'],
    ['a form', 'client_id=a&client_secret=opensesame'],
    ['JSON', '{"kind":"Review","token":"opensesame","password" : "opensesame"}'],
    ['JSON that is quoted', JSON.stringify('{"refreshToken":"opensesame"}')],
    ['a key', KEY],
    ['a key in JSON', JSON.stringify({ key: KEY })],
    ['a key that was cut off', KEY.slice(0, 38)],
  ])('%s does not appear', (_what, hostile) => {
    for (const verbosity of verbosities)
      for (const line of linesOf(format, verbosity, hostile)) {
        expect(line).not.toMatch(/opensesame|MIIE|c2lnbmF0dXJl/);
        expect(line).toContain('<masked>');
      }
  });

  it('no line is forged, and no escape sequence reaches the terminal', () => {
    for (const verbosity of verbosities)
      for (const written of linesOf(format, verbosity, `x\n${FORGED}\r\n${FORGED}${ESCAPE}`)) {
        expect(written.endsWith('\n')).toBe(true);
        const [, ...further] = written.slice(0, -1).split('\n');
        for (const line of further) expect(line.startsWith('  ')).toBe(true);
        expect(written).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]/);
        if (format === 'json') expect(typeof JSON.parse(written)).toBe('object');
      }
  });
});

it('percent-encoding in a URL does not hide credentials', () => {
  const escaped = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
  const known = ['a-token-that-nobody-may-see'];
  for (const secret of [JWT, ...known]) {
    expect(maskUri(`/api/v1/${escaped(secret)}/x`, '', known)).toBe('/api/v1/<masked>/x');
    expect(maskUri('/api', `x=${escaped(secret)}`, known)).toBe('/api?<masked>');
    expect(maskUri('/api', `x=%zz%ff${escaped(secret)}%`, known)).toBe('/api?<masked>');
  }
  expect(maskUri('/api/v1/a%2Fb', 'labelSelector=a%3Db')).toBe('/api/v1/a%2Fb?labelSelector=a%3Db');
});

it('takes time proportional to the text', () => {
  const began = process.cpuUsage();
  const texts = ['"token":"', '://a:', 'secret=', '-----BEGIN PRIVATE KEY-----', 'a-', 'eyJaaaaaaaaa.', 'Bearer '];
  for (const text of texts) maskSecrets(text.repeat(50_000));
  const { user } = process.cpuUsage(began);
  expect(user / 1e6).toBeLessThan(5);
});
