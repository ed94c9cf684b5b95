import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { hostOfUrl } from '../../outbound/host-port.js';
import { UsageError } from '../parse-flags.js';

const FLAG = '--listen-client-urls=';
const HELP = `A stand-in for etcd that stores nothing: it answers the health check with which envtest waits for etcd.

Flags:
  ${FLAG}URL,URL   where to answer (http)
Other flags of etcd are accepted without effect.
`;

/**
 * Answers health checks at the addresses that etcd would serve, until the signal. envtest starts etcd and waits for it before it starts
 * the API server, which keeps its objects in memory here.
 * @throws Error for an address that cannot be used.
 */
export async function serveHealth(
  args: readonly string[],
  stdout: { write(text: string): unknown },
  signal: AbortSignal,
): Promise<void> {
  if (args.some((arg) => arg === '--help' || arg === '-h' || arg === '--version')) return void stdout.write(HELP);
  const urls = args.flatMap((arg) => (arg.startsWith(FLAG) ? arg.slice(FLAG.length).split(',') : []));
  if (urls.length === 0) throw new UsageError(`${FLAG}URL is required`);
  const servers: Server[] = [];
  try {
    for (const url of urls) servers.push(await answerAt(url));
    stdout.write(`Answering health checks at ${urls.join(', ')}\n`);
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

async function answerAt(text: string): Promise<Server> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:') throw new UsageError(`${FLAG}${text}: the address must be a URL with http`);
  const server = createServer((request, response) => {
    const isHealth = request.method === 'GET' && request.url === '/health';
    response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' });
    response.end(isHealth ? '{"health":"true","reason":""}' : '');
  });
  server.listen(Number(url.port || '2379'), hostOfUrl(text));
  await once(server, 'listening');
  return server;
}
