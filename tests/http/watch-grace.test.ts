import { once } from 'node:events';
import net from 'node:net';
import { expect, it } from 'vitest';
import { listen } from '../../src/http/index.js';
import { exchange1, exchange2, session2, until } from './exchange.js';
import { answering, FakeStream, makeCertificates, streaming, text } from './stub-server.js';

const certificates = makeCertificates();

/** So many watches that they end over half a second: an idle connection may receive another request for a shorter time. */
const WATCHES = 120;

it.skipIf(certificates === undefined).each(['plain', 'h2'])(
  'over %s idle connections close, and sessions announce their end, before the last watch ends',
  async (kind) => {
    const streams: FakeStream[] = [];
    const server = answering((request) => {
      if (request.path !== '/watch') return text('done');
      const stream = new FakeStream();
      streams.push(stream);
      return streaming(stream);
    });
    const listener = await listen(server, { tls: kind === 'plain' ? false : (certificates?.serving ?? false) });
    const ended: string[] = [];
    const session = kind === 'h2' ? session2(listener.url) : undefined;
    session?.once('goaway', () => ended.push('announcement'));
    const ask = () => (session ? exchange2(session, { path: '/watch' }) : exchange1(listener.url, { path: '/watch' }));
    const watches = Array.from({ length: WATCHES }, () => ask().then(() => ended.push('watch')));
    if (!session) {
      const idle = net.connect(listener.port, '127.0.0.1');
      await once(idle, 'connect');
      idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(idle, 'data');
      idle.once('close', () => ended.push('announcement'));
      idle.resume();
    }
    await until(() => streams.length === WATCHES && streams.every(({ onReadable }) => onReadable !== undefined));
    await listener.close({ graceMilliseconds: 10_000, watchGraceMilliseconds: 5_000 });
    await Promise.all(watches);
    expect(ended.indexOf('announcement')).toBeGreaterThanOrEqual(0);
    expect(ended.indexOf('announcement')).toBeLessThan(WATCHES);
    expect(ended.filter((what) => what === 'watch')).toHaveLength(WATCHES);
  },
);
