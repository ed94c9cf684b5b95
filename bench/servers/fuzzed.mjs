// An ApiServer with every way to be somebody, for callers who mean no good.

import { anonymous, tokenFile } from '../../dist/exports/authentication.js';
import { rbac } from '../../dist/exports/authorization.js';
import { memory } from '../../dist/exports/storage.js';
import { ApiServer } from '../../dist/index.js';
import { serveAttacked } from './serve-attacked.mjs';

const server = new ApiServer({
  dialect: 'k8s',
  // A short history, so that the heap shows what is kept for longer.
  storage: memory({ history: { maxAgeMilliseconds: 10_000 } }),
  authentication: [tokenFile('admin,admin,1,"system:masters"\nbob,bob,2,"dev"\n'), anonymous()],
  authorization: [rbac()],
  // A session of HTTP/2 is to carry many requests, those of nobody too.
  featureGates: { WatchList: true, UnauthenticatedHTTP2DOSMitigation: false },
});
await serveAttacked(server);
