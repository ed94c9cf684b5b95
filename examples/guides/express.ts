import express, { type Express } from 'express';
import { ApiServer, type UserInfo } from 'orch-apiserver';
import { toNodeHandler } from 'orch-apiserver/http';

/** An application with the API under a prefix, which knows its callers by a session of its own. */
export async function startApp(sessions: ReadonlyMap<string, UserInfo>): Promise<{ app: Express; server: ApiServer }> {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  const app = express();
  // Before what parses bodies where it can be: a parsed body works, but has lost what JSON.parse loses.
  app.use(
    '/cluster',
    toNodeHandler(server, { user: ({ headers }) => sessions.get(String(headers['x-session'] ?? '')) }),
  );
  app.use(express.json());
  app.get('/health', (_request, response) => void response.send('ok'));
  return { app, server };
}
