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
    help: 'List of etcd servers to connect with (scheme://ip:port), comma separated.',
  },
  {
    ...storage,
    name: 'etcd-prefix',
    type: 'string',
    default: '/registry',
    help: 'The prefix to prepend to all resource paths in etcd.',
  },
  {
    ...storage,
    name: 'etcd-cafile',
    type: 'string',
    help: 'SSL Certificate Authority file used to secure etcd communication.',
  },
  {
    ...storage,
    name: 'etcd-certfile',
    type: 'string',
    help: 'SSL certification file used to secure etcd communication.',
  },
  {
    ...storage,
    name: 'etcd-keyfile',
    type: 'string',
    help: 'SSL key file used to secure etcd communication.',
  },
  {
    ...storage,
    name: 'etcd-compaction-interval',
    type: 'duration',
    default: '5m0s',
    help: 'The interval of compaction requests. If 0, this server makes none.',
  },
  {
    ...storage,
    name: 'encryption-provider-config',
    type: 'string',
    help: 'The file containing configuration for encryption providers, for etcd and --data-dir.',
  },
  {
    ...storage,
    name: 'encryption-provider-config-automatic-reload',
    type: 'boolean',
    default: false,
    help: 'Whether that file is automatically reloaded if the disk contents change.',
  },
  {
    ...storage,
    name: 'storage-backend',
    type: 'string',
    help: "The storage backend for persistence. Options: 'etcd3' (default).",
  },
] as const satisfies readonly FlagDefinition[];
