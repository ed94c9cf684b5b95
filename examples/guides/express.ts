import express, { type Express } from 'express';
import { ApiServer, type UserInfo } from 'orch-apiserver';
import { toNodeHandler } from 'orch-apiserver/http';

/** An application that serves the API under a prefix, and identifies its callers by its own sessions. */
export async function startApp(sessions: ReadonlyMap<string, UserInfo>): Promise<{ app: Express; server: ApiServer }> {
  const server = new ApiServer({ dialect: 'k8s' });
  await server.start();
  const app = express();
  // Mount it before body parsers if possible. A parsed body works, but JSON.parse has already dropped duplicate fields, for example.
  app.use(
    '/cluster',
    toNodeHandler(server, { user: ({ headers }) => sessions.get(String(headers['x-session'] ?? '')) }),
  );
  app.use(express.json());
  app.get('/health', (_request, response) => void response.send('ok'));
  return { app, server };
}
