import { Get, Query, ServiceUnavailableException } from '@nestjs/common';
import { readConsentLog, type ReadLog, readPaymentLog } from '@xs2a/contracts/timeline.contract';
import type { Html } from '@xs2a/html/html';
import { commandLine } from '../pages/command-line.js';
import { Frames } from '../pages/frames.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ThisVisit, type Visit } from '../pages/visit.js';
import { Parts } from '../parts/parts.js';
import type { Moment } from '../resources-pages/moments.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { TppNames } from '../tpps/tpp-names.js';
import { type LiveFilter, readLiveFilter, readPosition } from './live-filter.js';
import { liveBody } from './live-page.js';
import { type ShownPage, toShown } from './shown-events.js';

type Query = Readonly<Record<string, unknown>>;

/** The most events of an answer. */
const limit = 200;

const toPast = (before: Moment | undefined): Pick<ReadLog, 'before' | 'until'> => {
  if (before === undefined) return {};
  return 'position' in before
    ? { before: before.position }
    : { until: new Date(before.timeMs).toISOString() };
};

/** The page of the events as they are stored. */
@StaffPages('live')
export class LiveController {
  constructor(
    private readonly parts: Parts,
    private readonly frames: Frames,
    private readonly names: TppNames,
  ) {}

  @Get()
  @ForRoles(...watchers)
  async show(@ThisVisit() visit: Visit, @Query() query: Query): Promise<Html> {
    const filter = readLiveFilter(query);
    const page = await this.read(filter);
    const command = commandLine('xs2a events tail', { resource: filter.log });
    return this.frames.show(visit, { title: 'Live', body: liveBody(filter, page), command });
  }

  /** What is newer than a position, for the script of the page. */
  @Get('events')
  @ForRoles(...watchers)
  async events(@Query() query: Query): Promise<ShownPage> {
    return this.read(readLiveFilter(query), readPosition(query['after']));
  }

  private async read(filter: LiveFilter, after?: number): Promise<ShownPage> {
    const { log, type, tpp: tppId, product, status } = filter;
    const call = log === 'payments' ? readPaymentLog : readConsentLog;
    const past = toPast(filter.before);
    const request = { type, tppId, product, status, ...past, after, limit };
    const { answer, missing } = await this.parts.ask(call, request);
    if (answer === undefined) throw new ServiceUnavailableException(missing);
    return toShown(answer, this.names.short);
  }
}
