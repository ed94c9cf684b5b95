import type { ApiObject } from '../../meta/object-meta.js';
import { edit } from '../edit.js';
import type { Claim } from '../strategy.js';
import type { Write } from './write.js';

/**
 * The allocated values (addresses, ports) that one write reserves. The caller that begins a write must end them, even if the write fails.
 */
export class Claims {
  readonly #claims: Claim[] = [];

  /** Allocates the values of a new object, or of the changed form of `old`, if the kind allocates any. @throws ApiError */
  complete({ environment, target, context }: Write, object: ApiObject, old: ApiObject | undefined): ApiObject {
    if (target.subresource !== '') return object;
    const allocation = environment.allocation(context.host);
    if (!allocation) return object;
    return edit(object, (draft) => {
      this.#claims.push(old ? allocation.update(draft, old, context) : allocation.create(draft, context));
    });
  }

  get isEmpty(): boolean {
    return this.#claims.length === 0;
  }

  /** See {@link Claim.isStillFree}. */
  areStillFree(): boolean {
    return this.#claims.every((claim) => claim.isStillFree());
  }

  end(): void {
    for (const claim of this.#claims.splice(0)) claim.end();
  }
}
