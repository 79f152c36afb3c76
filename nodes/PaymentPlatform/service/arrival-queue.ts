/** Queue that returns its entries in order of arrival. Adding or removing an entry takes at most log2(n) steps. */
export class ArrivalQueue<Entry extends { arrival: number }> {
  private readonly heap: Entry[] = [];

  get length(): number {
    return this.heap.length;
  }

  add(entry: Entry): void {
    let place = this.heap.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.heap[above];
      if (!parent || parent.arrival < entry.arrival) break;
      this.heap[place] = parent;
      place = above;
    }
    this.heap[place] = entry;
  }

  take(): Entry | undefined {
    const first = this.heap[0];
    const last = this.heap.pop();
    if (last && this.heap.length > 0) this.sink(last);
    return first;
  }

  empty(): Entry[] {
    return this.heap.splice(0);
  }

  private sink(entry: Entry): void {
    let place = 0;
    for (;;) {
      const below = this.earlierBelow(place);
      const child = this.heap[below];
      if (!child || child.arrival > entry.arrival) break;
      this.heap[place] = child;
      place = below;
    }
    this.heap[place] = entry;
  }

  private earlierBelow(place: number): number {
    const left = 2 * place + 1;
    const [one, other] = [this.heap[left], this.heap[left + 1]];
    return one && other && other.arrival < one.arrival ? left + 1 : left;
  }
}
