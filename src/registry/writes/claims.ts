import type { ApiObject } from '../../meta/object-meta.js';
import { edit } from '../edit.js';
import type { Claim } from '../strategy.js';
import type { Write } from './write.js';

/** What one write holds of what its kind's objects do not share. Whoever begins a write ends them, whatever comes of it. */
export class Claims {
  readonly #held: Claim[] = [];

  /** Gives an object what is its own, where its kind has such: a new one, or the changed form of `old`. @throws ApiError */
  complete({ environment, target, context }: Write, object: ApiObject, old: ApiObject | undefined): ApiObject {
    if (target.subresource !== '') return object;
    const allocation = environment.allocation(context.host);
    if (!allocation) return object;
    return edit(object, (draft) => {
      this.#held.push(old ? allocation.update(draft, old, context) : allocation.create(draft, context));
    });
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  /** See {@link Claim.isStillFree}. */
  areStillFree(): boolean {
    return this.#held.every((claim) => claim.isStillFree());
  }

  end(): void {
    for (const claim of this.#held.splice(0)) claim.end();
  }
}
