import type { Replay } from 'orch-apiserver/testing';

export declare function runWorkload(kit: object, replay: Replay, options?: { readonly steps?: number }): Promise<void>;
