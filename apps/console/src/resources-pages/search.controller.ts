import { BadRequestException, Get, NotFoundException, Query, Redirect } from '@nestjs/common';
import { isUuid } from '@xs2a/domain/text/uuid';
import { callsPath } from '../calls-pages/call-filter.js';
import { CallList } from '../calls-pages/call-list.js';
import { StaffPages } from '../pages/staff-pages.js';
import { ForRoles } from '../staff/for-roles.js';
import { watchers } from '../staff/roles.js';
import { ResourceReads } from './resource-reads.js';

const traceId = /^[\da-f]{32}$/;

/** Leads from an id to its page. The shape of the id, and the services that know it, say what it names. */
@StaffPages('search')
export class SearchController {
  constructor(
    private readonly reads: ResourceReads,
    private readonly calls: CallList,
  ) {}

  @Get()
  @ForRoles(...watchers)
  @Redirect()
  async search(@Query('q') query: unknown): Promise<{ readonly url: string; readonly statusCode: number }> {
    if (typeof query !== 'string' || query.length > 200 || query.includes('\0'))
      throw new BadRequestException();
    return { url: await this.find(query.trim()), statusCode: 303 };
  }

  private async find(text: string): Promise<string> {
    const id = text.toLowerCase();
    if (traceId.test(id)) return callsPath({ trace: id });
    if (!isUuid(id)) return callsPath({ tpp: text });
    const [payment, consent, calls] = await Promise.all([
      this.reads.timeline('payments', id),
      this.reads.timeline('consents', id),
      this.calls.withRequestId(id),
    ]);
    // A service that does not answer may own it: its page says so.
    if (payment.answer?.timeline !== undefined) return `/payments/${id}`;
    if (consent.answer?.timeline !== undefined) return `/consents/${id}`;
    if (calls.length > 0) return `/calls/${id}`;
    if (payment.missing !== undefined) return `/payments/${id}`;
    if (consent.missing !== undefined) return `/consents/${id}`;
    throw new NotFoundException();
  }
}
