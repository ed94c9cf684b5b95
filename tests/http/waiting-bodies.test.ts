import { once } from 'node:events';
import { expect, it } from 'vitest';
import { listen } from '../../src/http/index.js';
import { exchange2, session2, until } from './exchange.js';
import { answering, makeCertificates, text } from './stub-server.js';

const certificates = makeCertificates();

it.skipIf(certificates === undefined)(
  'requests whose bodies are delayed do not delay others of their HTTP/2 connection',
  async () => {
    let letGo: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (letGo = resolve));
    const server = answering(async ({ path, body }) => {
      // The body is not read, as if the request were queued or its authenticator were pending.
      if (path === '/waiting') await released;
      const read = body?.type === 'bytes' ? await body.read(3_000_000) : new Uint8Array();
      return text(read === 'tooLarge' ? read : `${read.length}`);
    });
    const listener = await listen(server, certificates && { tls: certificates.serving });
    const session = session2(listener.url);
    const send = (path: string, length: number) =>
      exchange2(session, { method: 'POST', path, body: 'x'.repeat(length) });
    await once(session, 'remoteSettings');
    await until(() => (session.state.remoteWindowSize ?? 0) > 1_000_000);
    const waiting = Array.from({ length: 20 }, () => send('/waiting', 300_000));
    expect((await send('/', 2_000_000)).body).toBe('2000000');
    letGo();
    for (const answer of await Promise.all(waiting)) expect(answer.body).toBe('300000');
    session.destroy();
    await listener.close({ graceMilliseconds: 300 });
  },
);
