/** How many requests of a kind are served at once. */
class Slots {
  readonly limit: number;
  taken = 0;

  /** @param limit 0: any number. */
  constructor(limit: number) {
    this.limit = limit;
  }
  get full(): boolean {
    return this.limit > 0 && this.taken >= this.limit;
  }
  take(): this {
    this.taken++;
    return this;
  }
  release(): void {
    this.taken--;
  }
}

/** How many requests one server serves at once. */
export class InFlight {
  readonly reading: Slots;
  readonly mutating: Slots;
  /** Requests whose caller is not known yet; only those that wait for somebody else's word are counted. */
  readonly authenticating: Slots;

  /** @throws TypeError for a limit below 0. */
  constructor(reading: number, mutating: number) {
    if (!(reading >= 0) || !(mutating >= 0)) throw new TypeError('a limit of requests in flight must be at least 0');
    this.reading = new Slots(reading);
    this.mutating = new Slots(mutating);
    this.authenticating = new Slots(reading === 0 || mutating === 0 ? 0 : reading + mutating);
  }
}
