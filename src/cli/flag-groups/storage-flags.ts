import type { FlagDefinition } from '../flag-definition.js';

const storage = { group: 'Storage' } as const;

/** Flags for where the objects are stored. */
export const STORAGE_FLAGS = [
  {
    ...storage,
    name: 'data-dir',
    type: 'string',
    help: "folder of all objects, the server's keys and admin.kubeconfig (memory unless given)",
  },
  {
    ...storage,
    name: 'data-durability',
    type: 'string',
    default: 'machine',
    choices: ['machine', 'process'],
    help: 'what a write in it survives: a crash of the machine, or of the process',
  },
] as const satisfies readonly FlagDefinition[];
