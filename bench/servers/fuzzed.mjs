// An ApiServer with every authenticator, for hostile callers.

import { anonymous, tokenFile } from '../../dist/exports/authentication.js';
import { rbac } from '../../dist/exports/authorization.js';
import { memory } from '../../dist/exports/storage.js';
import { ApiServer } from '../../dist/index.js';
import { serveAttacked } from './serve-attacked.mjs';

const server = new ApiServer({
  dialect: 'k8s',
  // A short history, so that the heap shows objects that are held longer.
  storage: memory({ history: { maxAgeMilliseconds: 10_000 } }),
  authentication: [tokenFile('admin,admin,1,"system:masters"\nbob,bob,2,"dev"\n'), anonymous()],
  authorization: [rbac()],
  // An HTTP/2 session must carry many requests, including anonymous ones, without a GOAWAY.
  featureGates: { WatchList: true, UnauthenticatedHTTP2DOSMitigation: false },
});
await serveAttacked(server);
