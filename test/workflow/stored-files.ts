import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

/** n8n's storage of binary data, in memory by default. */
export class StoredFiles {
  private service?: BinaryDataService;
  private failure: Error | undefined;
  private readonly folder = mkdtempSync(join(tmpdir(), 'files-'));

  constructor() {
    const store = Reflect.get(BinaryDataService.prototype, 'store');
    const begin = (service: BinaryDataService) => {
      this.service = service;
      const { failure } = this;
      this.failure = undefined;
      if (failure) throw failure;
    };
    jest.spyOn(BinaryDataService.prototype, 'store').mockImplementation(async function (
      this: BinaryDataService,
      ...how: Parameters<typeof store>
    ) {
      begin(this);
      return await store.apply(this, how);
    });
  }

  /** Stores the next files on disk. Requires that a run stored a file before. */
  async useDisk(): Promise<void> {
    const service = this.used();
    Object.assign(Reflect.get(service, 'config') as object, { localStoragePath: this.folder, mode: 'filesystem' });
    await service.init();
  }

  failNext(error: Error): void {
    this.failure = error;
  }

  /** Returns the names of the files on disk. */
  names(): string[] {
    return readdirSync(this.folder, { recursive: true, encoding: 'utf8' }).filter((name) => /[0-9a-f-]{36}/.test(name));
  }

  async read({ binary }: Pick<INodeExecutionData, 'binary'>, field = 'data'): Promise<Buffer> {
    const data = binary?.[field];
    if (!data) throw new Error(`The item has no file in ${field}`);
    return await this.used().getAsBuffer(data);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private used(): BinaryDataService {
    if (!this.service) throw new Error('No run has stored a file yet');
    return this.service;
  }
}
