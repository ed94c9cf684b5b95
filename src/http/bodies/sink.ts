import type { Writable } from 'node:stream';

/** The part of a response that bytes go into: a ServerResponse or a stream of HTTP/2. */
export type Sink = Pick<Writable, 'write' | 'end' | 'on' | 'once' | 'destroy' | 'destroyed' | 'writableEnded'>;
