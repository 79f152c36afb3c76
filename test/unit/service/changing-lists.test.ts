import type { IDataObject } from 'n8n-workflow';

import type { Answer } from '../../../nodes/PaymentPlatform/model/failure';
import { fetchList } from '../../../nodes/PaymentPlatform/service/fetch-list';
import { quantity } from '../../quantity';
import { Random } from '../../simulator/random';

/** Random list that changes while the node reads it. */
interface Draw {
  count: number;
  parallel: number;
  hasIds: boolean;
  limit?: number;
  /** Maximum number of pages that the node keeps for a file. */
  mostAhead: number;
  /** Whether the node includes only some records. */
  isFiltered: boolean;
  /** Totals that the service announces. A capped total is at most 100. The last three are wrong. */
  totals: 'all' | 'pages' | 'capped' | 'none' | 'low' | 'high' | 'random';
  /** Maximum number of records that the service returns per page. Without sufficient totals, a short page is the last. */
  size: number;
  /** Probability of a change before a response, in percent. */
  changes: number;
  /**
   * Whether records move in the list, because the user sorts it by a field that changes. No record is removed, because
   * no page shows that a removed record took the place of one that moved.
   */
  mayMove?: boolean;
  /** Response with a wrong page. Only totals reveal an empty page and the early end of a page. */
  wrong?: { nth: number; way: 'empty' | 'early' | 'repeated' };
}

function drawList(random: Random): Draw {
  const mayMove = random.percent(30);
  const totals = random.pick(['all', 'all', 'all', 'pages', 'capped', 'none', 'low', 'high', 'random'] as const);
  return {
    count: random.pick([0, 1, 99, 100, 101, 198, 199, 200, 250, 301, random.integer(300, 900)]),
    parallel: random.pick([1, 2, 5, 20]),
    hasIds: mayMove || random.percent(70),
    mostAhead: random.pick([Infinity, 1, 3]),
    isFiltered: random.percent(15),
    ...(random.percent(20) && { limit: random.pick([50, 100, 150, 294, 400]) }),
    totals,
    size: !['none', 'low', 'random'].includes(totals) && random.percent(15) ? random.pick([7, 25, 60]) : 100,
    changes: random.pick([0, 10, 30, 60]),
    mayMove,
    ...(totals === 'all' &&
      random.percent(20) && { wrong: { nth: random.integer(1, 7), way: random.pick(['empty', 'early', 'repeated']) } }),
  };
}

/** Service that responds to open requests in random order and changes its list between the responses. */
class ChangingService {
  all: number[];
  /** Records that remained in the list from the first to the last response. */
  readonly lasting: Set<number>;
  requests = 0;
  private created: number;
  private readonly open: Array<() => void> = [];

  constructor(
    private readonly draw: Draw,
    private readonly random: Random,
  ) {
    this.all = Array.from({ length: draw.count }, (_, id) => id + 1);
    this.created = draw.count;
    this.lasting = new Set(this.all);
  }

  fetch = async (page: number, count: number): Promise<Answer> =>
    await new Promise((resolve) => {
      this.open.push(() => resolve(this.answer(page, count)));
      setImmediate(() => this.open.splice(this.random.integer(0, this.open.length - 1), 1).map((go) => go()));
    });

  private answer(page: number, asked: number): Answer {
    const { totals, size, wrong, changes, hasIds } = this.draw;
    if (this.requests > 0 && this.random.percent(changes)) this.change();
    const way = wrong?.nth === this.requests ? wrong.way : undefined;
    this.requests += 1;
    const count = Math.min(asked, size);
    const from = way === 'repeated' ? 0 : page * count;
    const kept = way === 'empty' ? 0 : way === 'early' ? this.random.integer(0, count - 1) : count;
    const field = hasIds ? 'id' : 'name';
    const record = this.all.slice(from, from + kept).map((id): IDataObject => ({ [field]: id }));
    const { length } = this.all;
    const wrongTotals = { low: Math.ceil(length / 2), high: length + 105, random: this.random.integer(0, 1000) };
    const told = totals in wrongTotals ? wrongTotals[totals as keyof typeof wrongTotals] : length;
    const [totalPages, totalRecords] = [Math.ceil(told / count), told];
    if (totals === 'none') return { ok: true, record };
    if (totals === 'pages') return { ok: true, record, totalPages };
    return {
      ok: true,
      record,
      totalPages,
      totalRecords: totals === 'capped' ? Math.min(100, totalRecords) : totalRecords,
    };
  }

  private change(): void {
    const { random, all } = this;
    if (this.draw.mayMove)
      for (const id of all.splice(random.integer(0, all.length), random.pick([1, 1, 2, 30])))
        all.splice(random.integer(0, all.length), 0, id);
    const place = random.pick([0, all.length, random.integer(0, all.length), random.integer(0, all.length)]);
    if (random.percent(50))
      all.splice(place, 0, ...random.list(random.pick([1, 1, 2, 30, 120]), () => (this.created += 1)));
    if (!this.draw.mayMove && random.percent(60))
      for (const id of all.splice(random.integer(0, all.length), random.pick([1, 1, 2, 30, 120])))
        this.lasting.delete(id);
  }
}

async function violations(random: Random, draw: Draw): Promise<string[]> {
  const service = new ChangingService(draw, random);
  const list = { ...(draw.hasIds && { identity: 'id' }), mayMove: draw.mayMove };
  const isIncluded = (id: number) => !draw.isFiltered || id % 3 === 0;
  const keeps = draw.isFiltered ? ({ id, name }: IDataObject) => isIncluded(Number(id ?? name)) : undefined;
  const result = await fetchList(list, draw.limit, service.fetch, draw.parallel, keeps, draw.mostAhead);
  // An empty list that announces records is unreadable.
  if ('failure' in result) return service.all.length > 0 || draw.totals === 'all' ? ['the list failed'] : [];
  const ids = result.records.map(({ id, name }) => Number(id ?? name));
  const repeated = ids.length - new Set(ids).size;
  const wrong = repeated > 0 && (draw.hasIds || result.note === undefined) ? [`${repeated} records came twice`] : [];
  // No request shows the records before and after certain places between very small pages.
  const isExact = !['high', 'random'].includes(draw.totals);
  const mayNote = draw.changes > 0 || draw.wrong !== undefined || draw.size < 8 || !isExact;
  if (result.note !== undefined)
    return mayNote ? wrong : [...wrong, `nothing changed, and a notice says ${result.note}`];
  const lasting = service.all.filter((id) => service.lasting.has(id) && isIncluded(id));
  const returned = ids.filter((id) => service.lasting.has(id));
  const expected = draw.limit === undefined ? lasting : lasting.slice(0, returned.length);
  const inOrder = (all: number[]) => JSON.stringify(draw.mayMove ? all.toSorted((one, other) => one - other) : all);
  if (inOrder(returned) === inOrder(expected) || (draw.mayMove && draw.limit !== undefined)) return wrong;
  return [...wrong, `${returned.length} of ${lasting.length} records came, and no notice says so`];
}

test('a list that changes is returned without repeated records, with a notice if a record may be missing', async () => {
  const failing: object[] = [];
  for (let seed = 1; seed <= quantity(400, 20_000); seed += 1) {
    const random = new Random(seed);
    const draw = drawList(random);
    const found = await violations(random, draw);
    if (found.length > 0) failing.push({ seed, found, draw });
  }
  expect(failing.slice(0, 5)).toEqual([]);
});

test.each([1, 20])('a long list that changes is returned in the same way, %d pages at a time', async (parallel) => {
  const count = quantity(3000, 100_000);
  const draw: Draw = {
    ...{ count, parallel, hasIds: true, totals: 'all', size: 100, changes: 5 },
    ...{ mostAhead: 5 * parallel, isFiltered: false },
  };
  expect(await violations(new Random(1), draw)).toEqual([]);
});
