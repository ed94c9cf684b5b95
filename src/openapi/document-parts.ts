import type { JsonObject } from '../json/value.js';
import type { Dialect } from '../meta/dialect.js';
import { yieldIfDue } from '../meta/flow.js';
import type { GroupVersion } from '../meta/group-version.js';
import type { ResourceStore } from '../registry/resource-store.js';
import { type MetaSchemaName, metaRoot } from '../schema/meta-kinds.js';
import {
  describeReference,
  describeRoot,
  type NamedSchema,
  type OpenApiOptions,
  type SchemaReference,
} from '../schema/openapi.js';
import type { Schema } from '../schema/schema.js';
import { type DocumentSource, kindContents } from './contents.js';
import { type Entry, entryOf } from './entry.js';
import type { PathOperations } from './operation.js';
import { type PathItemForm, pathItems } from './path-items.js';

/** How one version of OpenAPI describes paths. Parameters that several paths share are collected in `parameters` under their keys. */
export interface DocumentForm {
  readonly version: 2 | 3;
  pathItems(dialect: Dialect, parameters: Map<string, JsonObject>): PathItemForm;
}

/** The sections of a document that grow with the number of served kinds. */
export interface Sections {
  readonly paths: Map<string, Entry>;
  readonly schemas: Map<string, Entry>;
  readonly parameters: Map<string, Entry>;
}

interface PathPart {
  readonly paths: readonly Entry[];
  readonly parameters: readonly Entry[];
}

interface SchemaPart {
  readonly entry: Entry;
  readonly references: readonly SchemaReference[];
}

interface KindPart extends PathPart {
  readonly roots: readonly SchemaPart[];
}

/**
 * Builds documents in one version of OpenAPI from cached JSON. The paths and schemas of a kind are cached until the kind changes. A schema
 * to which other schemas refer is cached by itself.
 */
export class DocumentParts {
  readonly #form: DocumentForm;
  readonly #options: OpenApiOptions;
  readonly #kinds = new WeakMap<ResourceStore, KindPart>();
  /**
   * The cached schemas to which other schemas refer. The first map contains the schemas that are described with implied defaults, the
   * second all others.
   */
  readonly #schemas = [new WeakMap<Schema, SchemaPart>(), new WeakMap<Schema, SchemaPart>()] as const;

  constructor(form: DocumentForm, dialect: Dialect, enums: boolean) {
    this.#form = form;
    this.#options = { dialect, version: form.version, enums };
  }

  /**
   * Returns the sections of a document that describes the given sources, in their order.
   * @param listed the group versions that shared schemas declare in `x-kubernetes-group-version-kind`
   */
  async sections(sources: readonly DocumentSource[], listed: readonly GroupVersion[]): Promise<Sections> {
    const paths = new Map<string, Entry>();
    const parameters = new Map<string, Entry>();
    const roots: SchemaPart[] = [];
    const shared = new Map<MetaSchemaName, SchemaPart>();
    for (const source of sources) {
      const turn = yieldIfDue();
      if (turn) await turn;
      const contents = source.contents();
      const parts: PathPart[] = [this.#ofPaths(contents.paths)];
      for (const kind of contents.kinds) {
        const turn = yieldIfDue();
        if (turn) await turn;
        const part = this.#ofKind(kind);
        parts.push(part);
        roots.push(...part.roots);
      }
      for (const name of contents.shared) {
        const known = shared.get(name) ?? schemaPart(describeRoot(metaRoot(name, listed), this.#options));
        shared.set(name, known);
        roots.push(known);
      }
      for (const entry of byName(parts.flatMap((part) => part.paths))) paths.set(entry.name, entry);
      for (const part of parts) for (const entry of part.parameters) parameters.set(entry.name, entry);
    }
    return {
      paths,
      schemas: await this.#withReferences(roots),
      parameters: indexByName(byName([...parameters.values()])),
    };
  }

  #ofKind(store: ResourceStore): KindPart {
    let part = this.#kinds.get(store);
    if (!part) {
      const { paths, roots } = kindContents(store.resource);
      part = { ...this.#ofPaths(paths), roots: roots.map((root) => schemaPart(describeRoot(root, this.#options))) };
      this.#kinds.set(store, part);
    }
    return part;
  }

  #ofPaths(paths: readonly PathOperations[]): PathPart {
    const { dialect } = this.#options;
    const parameters = new Map<string, JsonObject>();
    const items = pathItems(paths, dialect, this.#form.pathItems(dialect, parameters));
    return {
      paths: items.map(([path, item]) => entryOf(path, item)),
      parameters: [...parameters].map(([key, parameter]) => entryOf(key, parameter)),
    };
  }

  /**
   * Returns root schemas and all schemas to which they refer, by name. If several roots have the same name, the last one wins; among other
   * schemas with the same name, the one that is referenced first.
   */
  async #withReferences(roots: readonly SchemaPart[]): Promise<Map<string, Entry>> {
    const entries = new Map<string, Entry>();
    const references = new Map<string, SchemaReference>();
    const add = (part: SchemaPart) => {
      entries.set(part.entry.name, part.entry);
      for (const reference of part.references)
        if (!references.has(reference.name)) references.set(reference.name, reference);
    };
    for (const root of roots) add(root);
    // The loop adds to the map while iterating, so references of references are visited, too.
    for (const reference of references.values()) {
      if (entries.has(reference.name)) continue;
      const turn = yieldIfDue();
      if (turn) await turn;
      add(this.#ofReference(reference));
    }
    return indexByName(byName([...entries.values()]));
  }

  #ofReference(reference: SchemaReference): SchemaPart {
    const known = this.#schemas[reference.impliedDefaults ? 0 : 1];
    let part = known.get(reference.schema);
    if (!part) known.set(reference.schema, (part = schemaPart(describeReference(reference, this.#options))));
    return part;
  }
}

const schemaPart = ({ name, value, references }: NamedSchema): SchemaPart => ({
  entry: entryOf(name, value),
  references,
});

const byName = (entries: Entry[]): Entry[] => entries.sort((a, b) => (a.name < b.name ? -1 : 1));

const indexByName = (entries: readonly Entry[]): Map<string, Entry> =>
  new Map(entries.map((entry) => [entry.name, entry]));
