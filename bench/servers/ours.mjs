// An ApiServer behind HTTPS, as a user would start it.
import { ApiServer, configMap as kind } from '../../dist/index.js';
import { listen } from '../../dist/http/index.js';
import { configMap } from '../objects.mjs';
import { processorTime, serveParent } from './process.mjs';

const objects = Number(process.argv[2] ?? 1);
const server = new ApiServer();
await server.start();
const client = server.client();
for (let i = 0; i < objects; i++) await client.create(kind, configMap(`c-${i}`, 'default', i));
const listener = await listen(server);

// The rest is told with the certificates, so that clients and the bare server can use the same.
const kubeconfig = await listener.kubeconfig();
const field = (name) => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(kubeconfig)[1], 'base64').toString();

serveParent(
  { port: listener.port, ca: listener.certificateAuthority, cert: field('client-certificate-data'), key: field('client-key-data') },
  {
    processorTime: () => processorTime(),
    /** Changes one object so many times, a turn of the event loop between, and tells the processor time of it all. */
    async change({ times }) {
      const before = processorTime();
      for (let i = 0; i < times; i++) {
        await client.update(kind, 'c-0', (draft) => { draft.data.count = String(i); }, { namespace: 'default' });
        await turn();
      }
      return processorTime() - before;
    },
  },
);

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
