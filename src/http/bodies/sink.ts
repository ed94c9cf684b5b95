import type { Writable } from 'node:stream';

/** The writable side of a response: a ServerResponse or an HTTP/2 stream. */
export type Sink = Pick<Writable, 'write' | 'end' | 'on' | 'once' | 'destroy' | 'destroyed' | 'writableEnded'>;
