import { versions } from 'node:process';

const [major = 0, minor = 0] = versions.node.split('.').map(Number);

/** Whether this version of Node lets several processes listen on one port, which 23.1 and later do. */
export const canSharePorts = major > 23 || (major === 23 && minor >= 1);
