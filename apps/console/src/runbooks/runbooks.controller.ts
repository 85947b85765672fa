import { Get, NotFoundException, Param } from '@nestjs/common';
import { type Html, html } from '@xs2a/html/html';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { ForRoles } from '../staff/for-roles.js';
import { roles } from '../staff/roles.js';
import { listName, renderRunbook, runbookPath } from './runbooks.js';

/** The runbooks of this release, to read. */
@StaffPages('runbooks')
export class RunbooksController {
  constructor(private readonly frames: Frames) {}

  @Get()
  @ForRoles(...roles)
  list(@ThisVisit() visit: Visit): Html {
    return this.page(visit, listName);
  }

  @Get(':name')
  @ForRoles(...roles)
  show(@ThisVisit() visit: Visit, @Param('name') name: string): Html {
    return this.page(visit, name);
  }

  private page(visit: Visit, name: string): Html {
    const runbook = renderRunbook(name);
    if (runbook === undefined) throw new NotFoundException();
    const body = html`<article class="card runbook">${runbook.body}</article>
      ${name === listName ? undefined : html`<p class="links"><a href="${runbookPath(listName)}">All runbooks</a></p>`}`;
    return this.frames.show(visit, { title: runbook.title, body });
  }
}
