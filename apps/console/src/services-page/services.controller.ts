import { Get } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type Html, html } from '@xs2a/html/html';
import type { Repository } from 'typeorm';
import { Instance } from '../instances/instance.entity.js';
import { Observer } from '../now/observer.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { databaseTable } from './database-table.js';
import { Databases } from './databases.js';
import { instanceTable, startTable } from './services-page.js';

const shownStarts = 100;

/** The page of the processes: those that run, those that started or ended lately, and their databases. */
@StaffPages('services')
export class ServicesController {
  constructor(
    @InjectRepository(Instance) private readonly instances: Repository<Instance>,
    private readonly databases: Databases,
    private readonly observer: Observer,
    private readonly frames: Frames,
  ) {}

  @Get()
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit): Promise<Html> {
    const [starts, databases] = await Promise.all([
      this.instances.find({ order: { startedAt: 'DESC' }, take: shownStarts }),
      this.databases.read(),
    ]);
    const observation = this.observer.observation;
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
      <section class="card wide" tabindex="0" aria-label="Databases">${databaseTable(databases)}</section>
      <section class="card wide" tabindex="0" aria-label="Starts">
        ${startTable(starts, shownStarts, observation?.instances)}
      </section>
    `;
    return this.frames.show(visit, { title: 'Services', body, refreshSeconds: 5, command: 'xs2a doctor' });
  }
}
