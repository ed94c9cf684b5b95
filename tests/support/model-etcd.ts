import {
  AUTHENTICATE,
  type Compare,
  RANGE,
  REMOVED,
  RESULT,
  STATUS,
  TXN,
  WATCH_PATH,
  type WatchEvent,
  watchRequest,
  watchResponse,
} from '../../src/store/etcd/messages.js';
import { decode, type Message } from '../../src/store/etcd/wire.js';
import { answer, type FakeEtcd, type FakeStream, startFakeEtcd } from './fake-etcd.js';

/** A version of a key; a deleted key has no value. */
export interface ModelVersion {
  readonly revision: number;
  readonly key: string;
  readonly value: string | undefined;
}

/** A watch of the model, and its controls for tests. */
export interface ModelWatch {
  readonly stream: FakeStream;
  readonly startRevision: number;
  send(...versions: readonly ModelVersion[]): void;
  progress(revision: number): void;
}

const utf8 = new TextEncoder();
const fromUtf8 = new TextDecoder();
const OUT_OF_RANGE = 11;
const UNIMPLEMENTED = 12;

/** An in-memory etcd with one member, which a test can make forget, repeat or omit versions as a real one must not. */
export class ModelEtcd implements AsyncDisposable {
  history: ModelVersion[] = [];
  revision = 1;
  compactRevision = 0;
  readonly watches: ModelWatch[] = [];
  readonly transactions: Message<typeof TXN.request>[] = [];
  /** Selects the versions that a watch receives when they are written. */
  delivers: (version: ModelVersion) => boolean = () => true;
  /** Selects the earlier versions that a new watch receives. */
  replays: (startRevision: number) => readonly ModelVersion[] = (start) =>
    this.history.filter(({ revision }) => revision >= start);
  /** Responds to a progress request. */
  answersProgress: (watch: ModelWatch) => void = (watch) => watch.progress(this.revision);
  /** Refuses a call with a gRPC status and a message. */
  refuses: (path: string) => readonly [status: number, text: string] | undefined = () => undefined;
  readonly #release: string;
  #fake: FakeEtcd | undefined;

  private constructor(release: string) {
    this.#release = release;
  }

  static async start(release = '3.5.21'): Promise<ModelEtcd> {
    const model = new ModelEtcd(release);
    model.#fake = await startFakeEtcd((stream, path) => {
      if (path === WATCH_PATH) stream.onMessage((message) => model.#watch(stream, message));
      else stream.onMessage((message) => model.#call(stream, path, message));
    });
    return model;
  }

  get endpoint(): string {
    return this.#fake?.endpoint ?? '';
  }
  get paths(): readonly string[] {
    return this.#fake?.paths ?? [];
  }

  /** Writes as another client. */
  write(key: string, value: string | undefined): ModelVersion {
    const version = { revision: ++this.revision, key, value };
    this.history.push(version);
    if (this.delivers(version)) for (const watch of this.watches) watch.send(version);
    return version;
  }

  /** Ends all connections, as a restart does. */
  disconnect(): void {
    this.watches.length = 0;
    for (const session of this.#fake?.sessions ?? []) session.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fake?.[Symbol.asyncDispose]();
  }

  #header() {
    return { clusterId: 7n, revision: this.revision };
  }

  #stateAt(revision: number): Map<string, ModelVersion & { readonly created: number }> {
    const state = new Map<string, ModelVersion & { readonly created: number }>();
    for (const version of this.history) {
      if (version.revision > revision) break;
      const created = state.get(version.key)?.created ?? version.revision;
      if (version.value === undefined) state.delete(version.key);
      else state.set(version.key, { ...version, created });
    }
    return state;
  }

  #call(stream: FakeStream, path: string, message: Uint8Array): void {
    const refusal = this.refuses(path);
    if (refusal) stream.end(...refusal);
    else if (path === STATUS.path) answer(stream, STATUS, { version: this.#release, header: this.#header() });
    else if (path === TXN.path) this.#commit(stream, decode(TXN.request, message));
    else if (path === RANGE.path) this.#range(stream, decode(RANGE.request, message));
    // Every user may impersonate anybody.
    else if (path === AUTHENTICATE.path) answer(stream, AUTHENTICATE, { token: 'token' });
    else stream.end(UNIMPLEMENTED, `the model has no ${path}`);
  }

  #range(stream: FakeStream, { key, rangeEnd, revision = 0, countOnly = false }: Message<typeof RANGE.request>): void {
    const refuse = (what: string) => stream.end(OUT_OF_RANGE, `etcdserver: mvcc: required revision ${what}`);
    if (revision > this.revision) {
      refuse('is a future revision');
      return;
    }
    if (revision > 0 && revision < this.compactRevision) {
      refuse('has been compacted');
      return;
    }
    const found = [...this.#stateAt(revision || this.revision).values()].filter((each) =>
      isIn(each.key, key, rangeEnd),
    );
    const kvs = found
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map((each) => ({
        key: utf8.encode(each.key),
        value: utf8.encode(each.value),
        modRevision: each.revision,
        createRevision: each.created,
      }));
    answer(stream, RANGE, { header: this.#header(), count: kvs.length, ...(countOnly ? {} : { kvs }) });
  }

  #commit(stream: FakeStream, transaction: Message<typeof TXN.request>): void {
    this.transactions.push(transaction);
    const { compare = [], success = [] } = transaction;
    const succeeded = compare.every((each) => this.#holds(each));
    for (const { put, remove } of succeeded ? success : []) {
      if (put) this.write(fromUtf8.decode(put.key), fromUtf8.decode(put.value));
      if (remove) this.write(fromUtf8.decode(remove.key), undefined);
    }
    answer(stream, TXN, { header: this.#header(), succeeded });
  }

  #holds({ key, rangeEnd, modRevision = 0, result = RESULT.equal }: Compare): boolean {
    const state = [...this.#stateAt(this.revision).values()];
    const found = state.filter((each) => isIn(each.key, key, rangeEnd)).map(({ revision }) => revision);
    const all = found.length === 0 && rangeEnd === undefined ? [0] : found;
    return all.every((each) => (result === RESULT.less ? each < modRevision : each === modRevision));
  }

  #watch(stream: FakeStream, message: Uint8Array): void {
    const { create, progress } = decode(watchRequest, message);
    if (progress) {
      const watch = this.watches.find((each) => each.stream === stream);
      if (watch) this.answersProgress(watch);
      return;
    }
    const { startRevision = 0 } = create ?? {};
    const header = this.#header();
    const watch: ModelWatch = {
      stream,
      startRevision,
      send: (...versions) => stream.send(watchResponse, { header: this.#header(), events: versions.map(eventOf) }),
      progress: (revision) => stream.send(watchResponse, { header: { ...header, revision } }),
    };
    stream.send(watchResponse, { header, created: true });
    if (startRevision < this.compactRevision) {
      stream.send(watchResponse, { header, canceled: true, compactRevision: this.compactRevision });
      return;
    }
    this.watches.push(watch);
    const past = this.replays(startRevision);
    if (past.length > 0) watch.send(...past);
  }
}

function isIn(key: string, from: Uint8Array = new Uint8Array(0), end?: Uint8Array): boolean {
  const first = fromUtf8.decode(from);
  return end === undefined || end.length === 0 ? key === first : key >= first && key < fromUtf8.decode(end);
}

const eventOf = ({ key, value, revision }: ModelVersion): WatchEvent => ({
  ...(value === undefined ? { type: REMOVED } : {}),
  kv: { key: utf8.encode(key), modRevision: revision, ...(value === undefined ? {} : { value: utf8.encode(value) }) },
});
