export class Session {
  #last = Date.now();

  touch(now = Date.now()): void {
    this.#last = now;
  }

  idle(now = Date.now()): number {
    return now - this.#last;
  }
}
