import Fastify, { type FastifyInstance } from 'fastify';
import { ApiServer, type UserInfo } from 'orch-apiserver';
import { toNodeHandler } from 'orch-apiserver/http';

/** The same for fastify, which must not read the bodies of requests nor write responses, because the handler does. */
export async function startApp(
  sessions: ReadonlyMap<string, UserInfo>,
): Promise<{ app: FastifyInstance; server: ApiServer }> {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  const handler = toNodeHandler(server, { user: ({ headers }) => sessions.get(String(headers['x-session'] ?? '')) });
  const app = Fastify();
  await app.register(
    async (cluster) => {
      cluster.removeAllContentTypeParsers();
      cluster.addContentTypeParser('*', (_request, _body, done) => done(null));
      cluster.all('/*', (request, reply) => {
        reply.hijack();
        request.raw.url = (request.raw.url ?? '/').slice('/cluster'.length);
        handler(request.raw, reply.raw);
      });
    },
    { prefix: '/cluster' },
  );
  app.get('/health', async () => 'ok');
  return { app, server };
}
