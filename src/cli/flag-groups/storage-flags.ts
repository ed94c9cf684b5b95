import type { FlagDefinition } from '../flag-definition.js';

const storage = { group: 'Storage' } as const;

/** Flags for the storage of objects. */
export const STORAGE_FLAGS = [
  {
    ...storage,
    name: 'data-dir',
    type: 'string',
    help: "folder for all objects, the server's keys and admin.kubeconfig (default: memory)",
  },
  {
    ...storage,
    name: 'data-durability',
    type: 'string',
    default: 'machine',
    choices: ['machine', 'process'],
    help: 'what acknowledged writes survive, a crash of the machine or process',
  },
  {
    ...storage,
    name: 'etcd-servers',
    type: 'list',
    help: 'etcd servers that store all objects, https://host:port',
  },
  {
    ...storage,
    name: 'etcd-prefix',
    type: 'string',
    default: '/registry',
    help: 'prefix of all keys in etcd; servers with the same prefix share their objects',
  },
  {
    ...storage,
    name: 'etcd-cafile',
    type: 'string',
    help: 'certificate authorities of etcd, PEM',
  },
  {
    ...storage,
    name: 'etcd-certfile',
    type: 'string',
    help: 'client certificate for etcd, PEM',
  },
  {
    ...storage,
    name: 'etcd-keyfile',
    type: 'string',
    help: 'key of --etcd-certfile, PEM',
  },
  {
    ...storage,
    name: 'etcd-compaction-interval',
    type: 'duration',
    default: '5m0s',
    help: 'time between compactions of etcd; 0 leaves compaction to others',
  },
  {
    ...storage,
    name: 'encryption-provider-config',
    type: 'string',
    help: 'file with an EncryptionConfiguration, for --etcd-servers and --data-dir',
  },
  {
    ...storage,
    name: 'encryption-provider-config-automatic-reload',
    type: 'boolean',
    default: false,
    help: 'read the file of --encryption-provider-config again when it changes',
  },
  {
    ...storage,
    name: 'storage-backend',
    type: 'string',
    help: 'version of the storage in etcd; only etcd3, which is the default',
  },
] as const satisfies readonly FlagDefinition[];
