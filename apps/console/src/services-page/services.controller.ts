import { Get } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Html, html } from '@xs2a/html/html';
import { Clock } from '@xs2a/runtime/clock';
import type { Repository } from 'typeorm';
import { copyable } from '../copy/copyable.js';
import { Instance } from '../instances/instance.entity.js';
import { Backlog } from '../now/backlog.js';
import { Observer } from '../now/observer.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { databaseTable } from './database-table.js';
import { type DatabaseReports, Databases } from './databases.js';
import { keyTable } from './key-table.js';
import { type KeyReports, Keys } from './keys.js';
import { standbyTable } from './standby-table.js';
import { type Standbys, StandbyReader } from './standbys.js';
import { streamTables } from './stream-tables.js';
import { readModelTable } from './read-model-table.js';
import { type ReadModelReports, ReadModels } from './read-models.js';
import { instanceTable, startTable } from './services-page.js';

const shownStarts = 100;

interface Reports {
  readonly starts: readonly Instance[];
  readonly databases: DatabaseReports;
  readonly readModels: ReadModelReports;
  readonly standbys: Standbys;
  readonly keys: KeyReports;
}

const asCommand = (command: string): Html => html`<p class="command">As a command: ${copyable(command)}</p>`;

/** The page Services: running processes, recent starts, JetStream streams, read models, databases, standbys, signing keys and master keys. */
@StaffPages('services')
export class ServicesController {
  /** The real time without the clock offset of the sandbox, because it is compared with the times of JetStream. */
  private readonly clock = new Clock(false);
  private reading: Promise<Reports> | undefined;

  constructor(
    @InjectRepository(Instance) private readonly instances: Repository<Instance>,
    private readonly databases: Databases,
    private readonly readModels: ReadModels,
    private readonly standbys: StandbyReader,
    private readonly keys: Keys,
    private readonly backlog: Backlog,
    private readonly observer: Observer,
    private readonly frames: Frames,
  ) {}

  @Get()
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit): Promise<Html> {
    const { starts, databases, readModels, standbys, keys } = await this.read();
    const observation = this.observer.observation;
    const { streams } = this.backlog.waiting;
    const body = html`
      <section class="card wide" tabindex="0" aria-label="Processes">
        ${
          observation === undefined
            ? html`<p role="status">
                The present state is not known: the console has just started, or its database does not answer.
              </p>`
            : instanceTable(observation)
        }
      </section>
      <section class="card wide" tabindex="0" aria-label="Streams">
        ${streams === undefined ? html`<p role="status">The state of JetStream is not known: the console has just started.</p>` : streamTables(streams, this.clock.nowMs())}
        ${asCommand('xs2a jetstream list')} ${asCommand('xs2a consumers')}
      </section>
      <section class="card wide" tabindex="0" aria-label="Read models">
        ${readModelTable(readModels)} ${asCommand('xs2a projections list')}
      </section>
      <section class="card wide" tabindex="0" aria-label="Databases">${databaseTable(databases)}</section>
      <section class="card wide" tabindex="0" aria-label="Standbys">${standbyTable(standbys)}</section>
      <section class="card wide" tabindex="0" aria-label="Keys">
        ${keyTable(keys)} ${asCommand('xs2a keys')}
      </section>
      <section class="card wide" tabindex="0" aria-label="Starts">
        ${startTable(starts, shownStarts, observation?.instances)}
      </section>
    `;
    return this.frames.show(visit, { title: 'Services', body, refreshSeconds: 5, command: 'xs2a doctor' });
  }

  /** Reads the reports once for all requests that arrive during the read, because one read makes a dozen NATS calls and SQL queries. */
  private async read(): Promise<Reports> {
    this.reading ??= this.readNow().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readNow(): Promise<Reports> {
    const [starts, databases, readModels, standbys, keys] = await Promise.all([
      this.instances.find({ order: { startedAt: 'DESC' }, take: shownStarts }),
      this.databases.read(),
      this.readModels.read(),
      this.standbys.read(),
      this.keys.read(),
    ]);
    return { starts, databases, readModels, standbys, keys };
  }
}
