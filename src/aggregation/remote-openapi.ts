import type { JsonObject } from '../json/value.js';

/** The OpenAPI documents of other servers. The object is replaced when anything in it changes. */
interface Descriptions {
  /** OpenAPI 2.0 documents, reduced to the paths of their own group version. */
  readonly v2: readonly JsonObject[];
  /** URLs of OpenAPI 3.0 documents, by name: `apis/example.com/v1`. */
  readonly v3: ReadonlyMap<string, string>;
  /** OpenAPI 2.0 documents of servers without OpenAPI 3.0, by name: `apis/example.com/v1`. */
  readonly onlyV2: ReadonlyMap<string, JsonObject>;
}

interface Description {
  readonly v2?: { readonly name: string; readonly document: JsonObject; readonly etag: string };
  /** The place of the OpenAPI 3.0 document, `failed` if the server's index could not be read, or absent if it has no OpenAPI 3.0. */
  readonly v3?: { readonly name: string; readonly url: string } | 'failed';
}

/** Keeps the OpenAPI documents of other servers, by the name of their APIService. */
export class RemoteOpenApi {
  readonly #byName = new Map<string, Description>();
  #current: Descriptions | undefined;

  get current(): Descriptions {
    if (this.#current) return this.#current;
    const v2: JsonObject[] = [];
    const v3 = new Map<string, string>();
    const onlyV2 = new Map<string, JsonObject>();
    for (const description of this.#byName.values()) {
      if (description.v2) v2.push(description.v2.document);
      if (description.v3 === 'failed') continue;
      if (description.v3) v3.set(description.v3.name, description.v3.url);
      else if (description.v2) onlyV2.set(description.v2.name, description.v2.document);
    }
    this.#current = { v2, v3, onlyV2 };
    return this.#current;
  }

  of(name: string): Description | undefined {
    return this.#byName.get(name);
  }

  set(name: string, description: Description): void {
    const known = this.#byName.get(name);
    if (known?.v2 === description.v2 && placeOf(known) === placeOf(description)) return;
    this.#current = undefined;
    this.#byName.set(name, description);
  }

  delete(name: string): void {
    if (this.#byName.delete(name)) this.#current = undefined;
  }
}

const placeOf = (description: Description | undefined): string | undefined =>
  description?.v3 === 'failed' ? 'failed' : description?.v3?.url;
